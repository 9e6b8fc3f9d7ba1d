// Where applications send members to sign in.
import { createHash } from "node:crypto";
import { baseURL, clientId } from "./calls";

const VERIFIER = "a proof that is announced by its hash, and brought later";

/** The hosted page, with what an application asks for. */
export async function hostedPage(more: Record<string, string> = {}): Promise<string> {
  const usual = {
    client_id: await clientId(),
    redirect_uri: `${baseURL()}/auth/callback`,
    response_type: "code",
    scope: "openid",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  };
  return `${baseURL()}/oauth2/authorize?${new URLSearchParams({ ...usual, ...more })}`;
}
