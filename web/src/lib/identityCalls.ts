// The calls of a session: renewed, opened by a password, ended. Loaded when the first is made.
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import {
  type AuthenticationResult,
  AuthFlow,
  ChallengeName,
  IdentityService,
} from "../gen/goodturn/identity/v1/identity_service_pb";
import { loadConfig } from "./config";
import { hasReason } from "./errors";
import { NoSession } from "./session";
import type { Tokens } from "./tokens";

function tokensOf(result: AuthenticationResult | undefined): Tokens {
  if (result === undefined) throw new NoSession();
  return { access: result.accessToken, id: result.idToken, refresh: result.refreshToken ?? "" };
}

/** `transport` must be a bare one: a refresh never passes through what asks for a fresh token. */
export function identityCalls(transport: Transport) {
  const identity = createClient(IdentityService, transport);
  return {
    identity,

    async renew(refreshToken: string): Promise<Tokens> {
      const { clientId } = await loadConfig();
      return tokensOf((await identity.getTokensFromRefreshToken({ refreshToken, clientId })).authenticationResult);
    },

    /** Whether a refresh was refused for good. */
    isRefused: (error: unknown): boolean =>
      ConnectError.from(error).code === Code.Unauthenticated ||
      hasReason(error, "NOT_AUTHORIZED", "REFRESH_TOKEN_REUSED"),

    /** @throws ConnectError with the server's message. */
    async signIn(email: string, password: string): Promise<Tokens> {
      const [{ beginSrp }, { clientId, userPoolId }] = await Promise.all([import("./srp"), loadConfig()]);
      const srp = beginSrp(email, password, userPoolId);
      const first = await identity.initiateAuth({
        authFlow: AuthFlow.USER_SRP_AUTH,
        clientId,
        authParameters: { USERNAME: email, SRP_A: srp.srpA },
      });
      if (first.challengeName !== ChallengeName.PASSWORD_VERIFIER) throw new NoSession();
      const second = await identity.respondToAuthChallenge({
        challengeName: ChallengeName.PASSWORD_VERIFIER,
        clientId,
        challengeResponses: srp.answer(first.challengeParameters),
      });
      // A further challenge is a failure here: new password, second factor and devices have no screen in this release.
      return tokensOf(second.authenticationResult);
    },

    async revoke(refreshToken: string): Promise<void> {
      const { clientId } = await loadConfig();
      await identity.revokeToken({ token: refreshToken, clientId });
    },
  };
}

export type IdentityCalls = ReturnType<typeof identityCalls>;
