// The tokens of a session in local storage, under the documented keys, and what can be read off them.
import { isHeard, present } from "./now";

export const KEYS = { access: "access_token", id: "id_token", refresh: "refresh_token" } as const;
/** Seconds that this device's clock is ahead of the server's. */
const DRIFT_KEY = "goodturn.clock_drift_s";

export type Tokens = { access: string; id: string; refresh: string };
export type Claims = {
  sub: string;
  exp_s: number;
  iat_s: number;
  email: string;
  name: string;
  givenName: string;
  familyName: string;
  picture: string;
  /** The device that the session was begun from; empty when there is none. */
  deviceKey: string;
};

function payloadOf(jwt: string): Record<string, unknown> {
  const part = jwt.split(".")[1];
  if (part === undefined) throw new Error("not a JWT");
  const bytes = Uint8Array.from(atob(part.replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
  const payload: unknown = JSON.parse(new TextDecoder().decode(bytes));
  if (typeof payload !== "object" || payload === null) throw new Error("not a JWT");
  return { ...payload };
}

/** @throws when the token cannot be parsed, or names nobody. */
export function claimsOf(jwt: string): Claims {
  const payload = payloadOf(jwt);
  const text = (name: string): string => (typeof payload[name] === "string" ? payload[name] : "");
  const number = (name: string): number => (typeof payload[name] === "number" ? payload[name] : Number.NaN);
  const sub = text("sub") || text("username");
  const exp_s = number("exp");
  if (sub === "" || Number.isNaN(exp_s)) throw new Error("a token without subject or expiry");
  return {
    sub,
    exp_s,
    iat_s: number("iat"),
    email: text("email"),
    name: text("name"),
    givenName: text("given_name"),
    familyName: text("family_name"),
    picture: text("picture"),
    deviceKey: text("device_key"),
  };
}

export function clearTokens(): void {
  for (const key of [...Object.values(KEYS), DRIFT_KEY]) localStorage.removeItem(key);
}

/** The stored tokens. When there are some and they cannot be parsed, all three are removed. */
export function readTokens(): Tokens | null {
  const [access, id] = [localStorage.getItem(KEYS.access), localStorage.getItem(KEYS.id)];
  if (access === null && id === null) return null;
  try {
    claimsOf(access ?? "");
    claimsOf(id ?? "");
    return { access: access ?? "", id: id ?? "", refresh: localStorage.getItem(KEYS.refresh) ?? "" };
  } catch {
    clearTokens();
    return null;
  }
}

const nowS = (): number => Date.now() / 1000;

/** Keeps new tokens; an empty refresh token means that the one before goes on. Their age tells how far the clock is off. */
export function writeTokens(tokens: Tokens): void {
  const { iat_s } = claimsOf(tokens.access);
  localStorage.setItem(DRIFT_KEY, String(Number.isNaN(iat_s) ? 0 : Math.floor(nowS() - iat_s)));
  localStorage.setItem(KEYS.id, tokens.id);
  if (tokens.refresh !== "") localStorage.setItem(KEYS.refresh, tokens.refresh);
  // Last, since other tabs watch this key: by then the others stand.
  localStorage.setItem(KEYS.access, tokens.access);
}

/** Whether now is before both expiries. The drift counts until an answer has told the server's time. */
export function areValid(tokens: Tokens): boolean {
  const drift_s = Number(localStorage.getItem(DRIFT_KEY) ?? 0) || 0;
  const adjusted_s = isHeard() ? present().getTime() / 1000 : nowS() - drift_s;
  return adjusted_s < claimsOf(tokens.access).exp_s && adjusted_s < claimsOf(tokens.id).exp_s;
}
