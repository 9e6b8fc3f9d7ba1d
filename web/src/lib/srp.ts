// The browser's side of a sign-in by SRP: neither the password nor the secret of a device leaves it. Loaded when somebody signs in.
import { createDeviceVerifier, createSrpSession, signSrpSession, signSrpSessionWithDevice } from "cognito-srp-helper";
import type { Device } from "./device";
import { serverTime } from "./now";

export type Challenge = { [name: string]: string };

type Signed = { secret: string; passwordSignature: string; timestamp: string };

const proofOf = ({ secret, passwordSignature, timestamp }: Signed): Challenge => ({
  PASSWORD_CLAIM_SECRET_BLOCK: secret,
  PASSWORD_CLAIM_SIGNATURE: passwordSignature,
  TIMESTAMP: timestamp,
});

/** As the protocol writes a time: "Sat May 2 00:09:40 UTC 2026". */
export function timestampOf(at: Date): string {
  const [weekday, day, month, year, time] = at.toUTCString().split(/,? /);
  return `${weekday} ${month} ${Number(day)} ${time} UTC ${year}`;
}

type Session = ReturnType<typeof createSrpSession>;

/** Dated now. The server refuses a wrong time in the words of a wrong password. */
const dated = (session: Session): Session => ({ ...session, timestamp: timestampOf(serverTime()) });

/** Begins: `srpA` goes with the name, `answer` turns the server's challenge into what proves the password. */
export function beginSrp(email: string, password: string, userPoolId: string) {
  const session = createSrpSession(email, password, userPoolId, false);
  return {
    srpA: session.largeA,
    answer(challenge: Challenge): Challenge {
      const signed = signSrpSession(dated(session), {
        ChallengeName: "PASSWORD_VERIFIER",
        ChallengeParameters: challenge,
      });
      return { USERNAME: challenge["USER_ID_FOR_SRP"] ?? email, ...proofOf(signed) };
    },
  };
}

/** The same for a device that is remembered. */
export function beginDevice({ key, group, secret }: Device, username: string, userPoolId: string) {
  const session = createSrpSession(username, secret, userPoolId, false);
  return {
    srpA: session.largeA,
    answer(challenge: Challenge): Challenge {
      const told = { ChallengeName: "DEVICE_PASSWORD_VERIFIER", ChallengeParameters: challenge } as const;
      const signed = signSrpSessionWithDevice(dated(session), told, group, secret);
      return { USERNAME: username, DEVICE_KEY: key, ...proofOf(signed) };
    },
  };
}

/** A secret for a new device, and what the server checks its proofs against. */
export function newSecret(key: string, group: string) {
  const { DeviceRandomPassword, DeviceSecretVerifierConfig } = createDeviceVerifier(key, group);
  return {
    device: { key, group, secret: DeviceRandomPassword },
    verifier: {
      passwordVerifier: DeviceSecretVerifierConfig.PasswordVerifier ?? "",
      salt: DeviceSecretVerifierConfig.Salt ?? "",
    },
  };
}
