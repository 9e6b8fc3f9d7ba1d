// What a recipient has typed of another time and not sent yet.
import { keep, kept } from "../../lib/kept";

/** `start` is an instant in ISO 8601, or empty. */
export type OtherTime = { message: string; start: string };

export const NOTHING: OtherTime = { message: "", start: "" };
export const formOf = (favor: string): string => `another-time/${favor}`;

export function readTime(value: unknown): OtherTime | null {
  if (typeof value !== "object" || value === null) return null;
  const { message, start } = value as Partial<Record<keyof OtherTime, unknown>>;
  return typeof message === "string" && typeof start === "string" ? { message, start } : null;
}

export const timeKept = (me: string, favor: string): OtherTime => kept(me, formOf(favor), readTime) ?? NOTHING;

export function keepStart(me: string, favor: string, start: string): void {
  keep(me, formOf(favor), { ...timeKept(me, favor), start });
}
