// The calls of a session: renewed, opened by a password and what else is asked, ended. Loaded when the first is made.
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  type AuthenticationResult,
  AuthFlow,
  ChallengeName,
  DeviceRememberedStatus,
  IdentityService,
  type NewDeviceMetadata,
  VerifySoftwareTokenStatus,
} from "../gen/goodturn/identity/v1/identity_service_pb";
import { answerOf, type Ask, stepOf } from "./asked";
import { browserName } from "./browser";
import { loadConfig } from "./config";
import { type Device, deviceOf, forgetDevice, keepDevice } from "./device";
import { hasReason } from "./errors";
import { proved } from "./proved";
import { NoSession } from "./session";
import { claimsOf, type Tokens } from "./tokens";

/** How far a sign-in has come: in, or asked for something. */
export type Entered = { tokens: Tokens } | { ask: Ask };

type Parameters = { [name: string]: string };
/** What a step is answered with. */
type Answer = {
  challengeName?: ChallengeName;
  challengeParameters: Parameters;
  session?: string;
  authenticationResult?: AuthenticationResult;
};

function tokensOf(result: AuthenticationResult | undefined): Tokens {
  if (result === undefined) throw new NoSession();
  return { access: result.accessToken, id: result.idToken, refresh: result.refreshToken ?? "" };
}

/** The name that a challenge has in the protocol is that of its value. */
const challengeOf = (name: keyof typeof ChallengeName): ChallengeName => ChallengeName[name];

/** `transport` must be a bare one: a refresh never passes through what asks for a fresh token. */
export function identityCalls(transport: Transport) {
  const identity = createClient(IdentityService, transport);

  async function respond(challengeName: ChallengeName, challengeResponses: Parameters, session = ""): Promise<Answer> {
    const { clientId } = await loadConfig();
    return identity.respondToAuthChallenge({ challengeName, clientId, challengeResponses, session });
  }

  /** Goes on from an answer: what only the browser can answer is answered by it. */
  async function goOn(answer: Answer, username: string, device: Device | null): Promise<Entered> {
    const { challengeName, challengeParameters, session = "", authenticationResult } = answer;
    if (challengeName === undefined) return { tokens: tokensOf(authenticationResult) };
    if (challengeName === ChallengeName.DEVICE_SRP_AUTH && device !== null)
      return goOn(await prove(device, username, session), username, null);
    const step = stepOf(ChallengeName[challengeName] ?? "", challengeParameters);
    if (step === null) throw new NoSession();
    return { ask: { step, session, username } };
  }

  async function prove(device: Device, username: string, session: string): Promise<Answer> {
    const [{ beginDevice }, { userPoolId }] = await Promise.all([import("./srp"), loadConfig()]);
    const srp = beginDevice(device, username, userPoolId);
    const shown = { USERNAME: username, DEVICE_KEY: device.key, SRP_A: srp.srpA };
    const first = await respond(ChallengeName.DEVICE_SRP_AUTH, shown, session);
    return respond(ChallengeName.DEVICE_PASSWORD_VERIFIER, srp.answer(first.challengeParameters));
  }

  /** Names the device that is remembered for a member. One that the server has forgotten is forgotten here too, and is not named. */
  async function named(uid: string, respondWith: (more: Parameters) => Promise<Answer>): Promise<Entered> {
    const device = deviceOf(uid);
    try {
      if (device !== null) return await goOn(await respondWith({ DEVICE_KEY: device.key }), uid, device);
    } catch (error) {
      if (!hasReason(error, "RESOURCE_NOT_FOUND")) throw error;
      forgetDevice(uid);
    }
    return goOn(await respondWith({}), uid, null);
  }

  /** Tells the server to remember the device that a sign-in came from. */
  async function remember({ access }: Tokens, { deviceKey, deviceGroupKey }: NewDeviceMetadata): Promise<void> {
    const { newSecret } = await import("./srp");
    const { device, verifier } = newSecret(deviceKey, deviceGroupKey);
    const of = { accessToken: access, deviceKey };
    await identity.confirmDevice({ ...of, deviceSecretVerifierConfig: verifier, deviceName: browserName() });
    // Kept first: a page that is left now has a secret that proves nothing, and not a device that nothing proves.
    keepDevice(claimsOf(access).sub, device);
    await identity.updateDeviceStatus({ ...of, deviceRememberedStatus: DeviceRememberedStatus.REMEMBERED });
  }

  async function bySrp(email: string, password: string): Promise<Entered> {
    const [{ beginSrp }, { clientId, userPoolId }] = await Promise.all([import("./srp"), loadConfig()]);
    const srp = beginSrp(email, password, userPoolId);
    const first = await identity.initiateAuth({
      authFlow: AuthFlow.USER_SRP_AUTH,
      clientId,
      authParameters: { USERNAME: email, SRP_A: srp.srpA },
    });
    if (first.challengeName !== ChallengeName.PASSWORD_VERIFIER) throw new NoSession();
    const proof = srp.answer(first.challengeParameters);
    return named(first.challengeParameters["USER_ID_FOR_SRP"] ?? email, (more) =>
      respond(ChallengeName.PASSWORD_VERIFIER, { ...proof, ...more }),
    );
  }

  return {
    identity,

    async renew({ access, refresh }: Tokens): Promise<Tokens> {
      const { clientId } = await loadConfig();
      const of = { refreshToken: refresh, clientId, deviceKey: claimsOf(access).deviceKey };
      return tokensOf((await identity.getTokensFromRefreshToken(of)).authenticationResult);
    },

    /** Whether a refresh was refused for good. */
    isRefused: (error: unknown): boolean =>
      ConnectError.from(error).code === Code.Unauthenticated ||
      hasReason(error, "NOT_AUTHORIZED", "REFRESH_TOKEN_REUSED"),

    /** @throws ConnectError with the server's message. */
    signIn: (email: string, password: string): Promise<Entered> => proved(password, (given) => bySrp(email, given)),

    /** Has a code sent to the address, which is asked for in place of the password. */
    async mailCode(email: string): Promise<Entered> {
      const { clientId } = await loadConfig();
      const authParameters = { USERNAME: email };
      return goOn(
        await identity.initiateAuth({ authFlow: AuthFlow.CUSTOM_AUTH, clientId, authParameters }),
        email,
        null,
      );
    },

    /** Answers what was asked. `remembers`: who gets in by it is not asked for a second factor on this device again. */
    async answer(ask: Ask, given: string, remembers: boolean): Promise<Entered> {
      const { challenge, responses } = answerOf(ask, given);
      const answer = await respond(challengeOf(challenge), responses, ask.session);
      const made = answer.authenticationResult?.newDeviceMetadata;
      const entered = await goOn(answer, ask.username, deviceOf(ask.username));
      // Nobody waits for it. When it fails, the second factor is asked for the next time.
      if (remembers && made !== undefined && "tokens" in entered)
        void remember(entered.tokens, made).catch(() => undefined);
      return entered;
    },

    /** Makes the secret of an authenticator in the middle of a sign-in. */
    async beginSetUp(ask: Ask): Promise<{ secret: string; ask: Ask }> {
      const { secretCode, session = "" } = await identity.associateSoftwareToken({ session: ask.session });
      return { secret: secretCode, ask: { ...ask, session } };
    },

    /** Sets it up by its first code, and goes on. */
    async endSetUp(ask: Ask, userCode: string): Promise<Entered> {
      const { status, session = "" } = await identity.verifySoftwareToken({ session: ask.session, userCode });
      if (status !== VerifySoftwareTokenStatus.SUCCESS) throw new NoSession();
      const { challenge, responses } = answerOf(ask, "");
      return goOn(await respond(challengeOf(challenge), responses, session), ask.username, null);
    },

    async revoke(refreshToken: string): Promise<void> {
      const { clientId } = await loadConfig();
      await identity.revokeToken({ token: refreshToken, clientId });
    },
  };
}

export type IdentityCalls = ReturnType<typeof identityCalls>;
