// The browser's side of a sign-in by SRP: the password never leaves this device. Loaded when somebody signs in.
import { createSrpSession, signSrpSession } from "cognito-srp-helper";

export type Challenge = { [name: string]: string };

/** Begins: `srpA` goes with the name, `answer` turns the server's challenge into what proves the password. */
export function beginSrp(email: string, password: string, userPoolId: string) {
  const session = createSrpSession(email, password, userPoolId, false);
  return {
    srpA: session.largeA,
    answer(challenge: Challenge): Challenge {
      const signed = signSrpSession(session, { ChallengeName: "PASSWORD_VERIFIER", ChallengeParameters: challenge });
      return {
        USERNAME: challenge["USER_ID_FOR_SRP"] ?? email,
        PASSWORD_CLAIM_SECRET_BLOCK: signed.secret,
        PASSWORD_CLAIM_SIGNATURE: signed.passwordSignature,
        TIMESTAMP: signed.timestamp,
      };
    },
  };
}
