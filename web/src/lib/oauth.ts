// Signing in at a provider, by the hosted sign-in: the browser is sent away with a proof of possession (PKCE), and comes back with a code.
import { loadConfig } from "./config";
import { hostedOf } from "./hosted";
import { claimsOf, type Tokens } from "./tokens";

/** What the browser must still know when it comes back, in this tab only. */
const KEY = "goodturn.oauth";
type Waiting = { state: string; verifier: string };

const BYTES = 32;

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

const random = (): string => base64url(crypto.getRandomValues(new Uint8Array(BYTES)));

async function hashOf(text: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Leaves for the provider. @throws when the configuration is not known, or on a page without encryption. */
export async function leaveFor(provider: string): Promise<void> {
  const config = await loadConfig();
  const oauth = hostedOf(config);
  const waiting: Waiting = { state: random(), verifier: random() };
  const challenge = await hashOf(waiting.verifier);
  sessionStorage.setItem(KEY, JSON.stringify(waiting));
  const asked = new URLSearchParams({
    response_type: "code",
    client_id: config.clientId,
    identity_provider: provider,
    redirect_uri: oauth.callback,
    scope: oauth.scope,
    state: waiting.state,
    code_challenge: challenge,
    code_challenge_method: "S256",
  });
  window.location.assign(`${oauth.authorize}?${asked}`);
}

/** What waits, which serves once. */
function takeWaiting(): Waiting {
  const text = sessionStorage.getItem(KEY);
  sessionStorage.removeItem(KEY);
  return JSON.parse(text ?? "{}") as Waiting;
}

/** The tokens for the code in the address that the browser came back to. @throws for an error, no code, or a way that did not begin here. */
export async function tokensFor(search: string): Promise<Tokens> {
  const [told, waiting] = [new URLSearchParams(search), takeWaiting()];
  const code = told.get("code");
  if (told.get("error") !== null || code === null) throw new Error("OAuth error");
  // Somebody else's code must not become this browser's session.
  if (!waiting.state || told.get("state") !== waiting.state) throw new Error("another sign-in");
  const config = await loadConfig();
  const oauth = hostedOf(config);
  const answer = await fetch(oauth.token, {
    method: "POST",
    cache: "no-store",
    body: new URLSearchParams({
      grant_type: "authorization_code",
      client_id: config.clientId,
      code,
      redirect_uri: oauth.callback,
      code_verifier: waiting.verifier,
    }),
  });
  if (!answer.ok) throw new Error("Token exchange failed");
  return tokensIn(await answer.json());
}

function tokensIn(json: unknown): Tokens {
  const told = (typeof json === "object" && json !== null ? json : {}) as Partial<Record<string, unknown>>;
  const text = (name: string): string => (typeof told[name] === "string" ? told[name] : "");
  const tokens = { access: text("access_token"), id: text("id_token"), refresh: text("refresh_token") };
  // Throws for what is none.
  claimsOf(tokens.access);
  claimsOf(tokens.id);
  return tokens;
}
