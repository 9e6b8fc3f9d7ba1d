// What is typed to find a friend: kept over a reload and on other screens until the request is sent.
import { forget, keep, useKept } from "../../lib/kept";

const FORM = "find";

/** `searched` is the contact that was looked for last, `message` goes with the request to whom it belongs. */
type Typed = { contact: string; searched: string; message: string };
const NOTHING: Typed = { contact: "", searched: "", message: "" };

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { contact, searched, message } = value as Partial<Record<keyof Typed, unknown>>;
  return { contact: String(contact ?? ""), searched: String(searched ?? ""), message: String(message ?? "") };
}

export function useTyped(me: string) {
  const typed = useKept(me, FORM, readTyped) ?? NOTHING;
  return {
    ...typed,
    type: (part: Partial<Typed>): void => keep(me, FORM, { ...typed, ...part }),
    clear: (): void => forget(me, FORM),
  };
}
