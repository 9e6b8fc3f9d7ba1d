// Signing in by SRP, on devices whose clocks and keyboards differ. The server checks proof and time.
import { Code, createRouterTransport } from "@connectrpc/connect";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { ChallengeName, IdentityService } from "../gen/goodturn/identity/v1/identity_service_pb";
import { refusal } from "../testing/refusals";
import { challengeOf, type Holder, holderOf } from "../testing/srpServer";
import { identityCalls } from "./identityCalls";
import { hear } from "./now";
import { beginDevice, newSecret, timestampOf } from "./srp";

const UID = "0b5f4c1e-7d3a-4f2e-9c58-6a1d2e3f4a5b";
const MINUTE_MS = 60_000;
const WRONG = "Incorrect username or password.";

/** `tells`: its answers have a date, as over HTTP. */
function serverOf(password: string, { now_ms = Date.now(), tells = true, after = () => {} } = {}) {
  const holder = holderOf("pool", UID, password);
  let asked: ReturnType<typeof challengeOf> | undefined;
  const state = { tries: 0 };
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      initiateAuth({ authParameters }) {
        asked = challengeOf(holder, authParameters["SRP_A"] ?? "");
        if (tells) hear(new Date(now_ms).toUTCString());
        after();
        const challengeParameters = { ...asked.parameters, USER_ID_FOR_SRP: UID };
        return { challengeName: ChallengeName.PASSWORD_VERIFIER, challengeParameters };
      },
      respondToAuthChallenge({ challengeResponses }) {
        state.tries += 1;
        if (asked?.isProved(challengeResponses, now_ms) !== true)
          throw refusal("NOT_AUTHORIZED", Code.Unauthenticated, WRONG);
        return { authenticationResult: { accessToken: "a", idToken: "i", expiresInS: 1, tokenType: "Bearer" } };
      },
    }),
  );
  const { signIn } = identityCalls(transport);
  return { state, signIn: (typed: string) => signIn("ana@example.com", typed) };
}

const numberOf = (base64: string): bigint => BigInt(`0x${Buffer.from(base64, "base64").toString("hex")}`);

const IN = { tokens: { access: "a", id: "i", refresh: "" } };

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ clientId: "web", userPoolId: "us-east-1_pool" })));
  // What an earlier test has heard is true again.
  hear(new Date().toUTCString());
});

describe("a device whose clock", () => {
  it.each([-60 * 24, -10, 0, 10, 60 * 24])("is_%d_minutes_ahead_signs_in", async (minutes) => {
    const { signIn, state } = serverOf("a good turn", { now_ms: Date.now() - minutes * MINUTE_MS });
    expect(await signIn("a good turn")).toEqual(IN);
    expect(state.tries).toBe(1);
  });

  it("is_set_between_the_answer_and_the_proof_signs_in", async () => {
    const device_ms = Date.now();
    const after = (): void => void vi.spyOn(Date, "now").mockReturnValue(device_ms + 30 * MINUTE_MS);
    expect(await serverOf("a good turn", { after }).signIn("a good turn")).toEqual(IN);
  });

  it("is_10_minutes_off_is_refused_where_no_answer_tells_the_time", async () => {
    const { signIn, state } = serverOf("a good turn", { now_ms: Date.now() - 10 * MINUTE_MS, tells: false });
    await expect(signIn("a good turn")).rejects.toThrow(WRONG);
    expect(state.tries).toBe(1);
  });
});

it("a_device_that_is_remembered_proves_itself_at_the_servers_time", () => {
  const { device, verifier } = newSecret("us-east-1_key", "group");
  const holder: Holder = {
    group: device.group,
    name: device.key,
    salt: numberOf(verifier.salt),
    verifier: numberOf(verifier.passwordVerifier),
  };
  const now_ms = Date.now() - 10 * MINUTE_MS;
  hear(new Date(now_ms).toUTCString());
  const { srpA, answer } = beginDevice(device, UID, "us-east-1_pool");
  const asked = challengeOf(holder, srpA);
  const proof = answer({ ...asked.parameters, DEVICE_KEY: device.key });
  expect(asked.isProved(proof, now_ms)).toBe(true);
  expect(asked.isProved(proof, now_ms + 10 * MINUTE_MS)).toBe(false);
});

it("a_time_is_written_as_the_protocol_has_it", () => {
  expect(timestampOf(new Date("2026-05-02T00:09:40Z"))).toBe("Sat May 2 00:09:40 UTC 2026");
  expect(timestampOf(new Date("2026-11-27T23:59:59.999Z"))).toBe("Fri Nov 27 23:59:59 UTC 2026");
});

describe("a password", () => {
  const [NFD, NFC] = ["Zoe\u0308-2026", "Zo\u00eb-2026"];

  it.each([
    [NFC, NFC, 1],
    [NFC, NFD, 1],
    [NFD, NFD, 2],
    ["\u1ec7-goodturn", "e\u0302\u0323-goodturn", 1],
    ["e\u0302\u0323-goodturn", "e\u0302\u0323-goodturn", 2],
    ["\ud55c\uae00-goodturn", "\u1112\u1161\u11ab\u1100\u1173\u11af-goodturn", 1],
  ])("that_was_set_as_%j_is_right_as_%j_at_try_%d", async (set, typed, tries) => {
    const { signIn, state } = serverOf(set);
    expect(await signIn(typed)).toEqual(IN);
    expect(state.tries).toBe(tries);
  });

  it.each([
    ["wrong", 1],
    [NFC, 1],
    [NFD, 2],
  ])("that_is_wrong_as_%j_counts_%d_times", async (typed, tries) => {
    const { signIn, state } = serverOf("a good turn");
    await expect(signIn(typed)).rejects.toThrow(WRONG);
    expect(state.tries).toBe(tries);
  });
});
