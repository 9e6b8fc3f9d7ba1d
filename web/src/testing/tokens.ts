// Tokens as the server would give them, without a signature that anybody here checks.

const part = (value: unknown): string =>
  btoa(JSON.stringify(value)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** A JWT of `sub` that lasts `left_s` more seconds, said at `iat_s`. */
export function jwt(sub: string, left_s: number, more: Record<string, unknown> = {}): string {
  const iat = Math.floor(Date.now() / 1000);
  return [part({ alg: "RS256" }), part({ sub, iat, exp: iat + left_s, ...more }), "signature"].join(".");
}

export const ana = { email: "ana@example.com", name: "Ana Ruiz", given_name: "Ana", family_name: "Ruiz" };

export function storeSession(left_s: number, refresh = "refresh-1"): void {
  localStorage.setItem("access_token", jwt("ana", left_s));
  localStorage.setItem("id_token", jwt("ana", left_s, ana));
  if (refresh !== "") localStorage.setItem("refresh_token", refresh);
}
