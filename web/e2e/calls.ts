// Where the server of the tests is, and how it is called without a browser.
import { createClient } from "@connectrpc/connect";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import { AuthFlow, IdentityService } from "../src/gen/goodturn/identity/v1/identity_service_pb";

export const baseURL = (): string => process.env["GOODTURN_URL"] ?? "http://127.0.0.1:8080";

type Told = { clientId: string; demo: { accessToken: string; idToken: string } };

let told: Promise<Told> | undefined;

/** The answer that the app gets at its start. Each worker asks once. */
export const toldAtStart = (): Promise<Told> =>
  (told ??= fetch(`${baseURL()}/config.json`).then((response) => response.json() as Promise<Told>));

/** The id of the web app. */
export const clientId = async (): Promise<string> => (await toldAtStart()).clientId;

const identity = createClient(IdentityService, createGrpcWebTransport({ baseUrl: baseURL() }));

export const identityCalls = () => identity;

/** A sign-in that asks for nothing more than the password. */
export async function entered({ email, password }: { email: string; password: string }) {
  const { authenticationResult } = await identityCalls().initiateAuth({
    authFlow: AuthFlow.USER_PASSWORD_AUTH,
    clientId: await clientId(),
    authParameters: { USERNAME: email, PASSWORD: password },
  });
  if (authenticationResult === undefined) throw new Error(`${email} is asked for more than the password`);
  return authenticationResult;
}
