// oidc-provider as a provider that members come by.
import { generateKeyPairSync } from "node:crypto";

const PEOPLE = {
  nia: { email: "nia@example.org", email_verified: true, name: "Nia Adams", given_name: "Nia", family_name: "Adams" },
  ana: { email: "ana@example.org", email_verified: true, name: "Ana Silva" },
  una: { email: "una@example.org", email_verified: false, name: "Una Berg" },
};

function keys() {
  const made = [generateKeyPairSync("rsa", { modulusLength: 2048 }), generateKeyPairSync("ec", { namedCurve: "P-256" })];
  const [rsa, ec] = made.map(({ privateKey }) => privateKey.export({ format: "jwk" }));
  return [{ ...rsa, kid: "rsa", use: "sig", alg: "RS256" }, { ...ec, kid: "ec", use: "sig", alg: "ES256" }];
}

/** Starts it at the address that the server knows; Club proves itself by a secret, and Guild has none. */
export async function start({ upstream, url, secret }) {
  // What it has to say goes where the test does not read.
  console.info = console.log = console.warn = console.error;
  const { default: Provider } = await import("oidc-provider");
  const usual = { redirect_uris: [`${url}/oauth2/idpresponse`], response_types: ["code"], grant_types: ["authorization_code"] };
  const provider = new Provider(upstream, {
    clients: [
      { ...usual, client_id: "club", client_secret: secret, token_endpoint_auth_method: "client_secret_basic" },
      { ...usual, client_id: "guild", token_endpoint_auth_method: "none", id_token_signed_response_alg: "ES256" },
    ],
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "given_name", "family_name"] },
    findAccount: (_, sub) => ({ accountId: sub, claims: () => ({ sub, ...PEOPLE[sub] }) }),
    pkce: { required: () => true },
    jwks: { keys: keys() },
    cookies: { keys: ["for these tests alone"] },
    features: { devInteractions: { enabled: true } },
  });
  const { port, hostname } = new URL(upstream);
  return await new Promise((resolve) => {
    const listening = provider.listen(Number(port), hostname, () => resolve({ close: () => (listening.closeAllConnections(), listening.close()) }));
  });
}
