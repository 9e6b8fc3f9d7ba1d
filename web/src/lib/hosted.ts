// The hosted sign-in, as the server tells it: whom it offers beside the password, and its addresses.
import type { Config } from "./config";

export type Hosted = { authorize: string; token: string; callback: string; scope: string };

type Told = Partial<Record<keyof Hosted | "providers", unknown>>;

const told = ({ oauth }: Config): Told => (typeof oauth === "object" && oauth !== null ? oauth : {});
const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The providers' names; none where there is no hosted sign-in. */
export function providersOf(config: Config): readonly string[] {
  const { providers, authorize } = told(config);
  return Array.isArray(providers) && text(authorize) !== "" ? providers.map(text) : [];
}

export function hostedOf(config: Config): Hosted {
  const { authorize, token, callback, scope } = told(config);
  return { authorize: text(authorize), token: text(token), callback: text(callback), scope: text(scope) };
}
