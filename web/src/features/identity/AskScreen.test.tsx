// Each step of a sign-in, as its form shows it: against a server that answers as the real one does.
import { Code, ConnectError, createRouterTransport } from "@connectrpc/connect";
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { ChallengeName, IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import type { Ask, Step } from "../../lib/asked";
import { forgetRemembered } from "../../lib/remembered";
import { AskScreen } from "./AskScreen";
import { refusal } from "../../testing/refusals";

type Given = { challenge: ChallengeName; responses: { [name: string]: string }; session: string };
type Told = { challengeName: ChallengeName; challengeParameters?: { [name: string]: string }; session: string };

const { given, answers, tokens } = vi.hoisted(() => ({
  given: [] as unknown[],
  answers: [] as unknown[],
  tokens: [] as unknown[],
}));

vi.mock("../../lib/config", () => ({ loadConfig: () => Promise.resolve({ clientId: "web", userPoolId: "us_one" }) }));
vi.mock("../../lib/current", async () => {
  const { identityCalls } = await import("../../lib/identityCalls");
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      respondToAuthChallenge({ challengeName: challenge, challengeResponses: responses, session }) {
        given.push({ challenge, responses: { ...responses }, session });
        const answer = answers.shift();
        if (answer instanceof ConnectError) throw answer;
        return answer as Told;
      },
    }),
  );
  const calls = identityCalls(transport);
  return {
    session: {
      calls: () => Promise.resolve(calls),
      async enter(by: (with_: typeof calls) => Promise<{ ask: Ask } | { tokens: unknown }>) {
        const entered = await by(calls);
        if ("ask" in entered) return entered.ask;
        tokens.push(entered.tokens);
        return null;
      },
      signIn: () => Promise.reject(new Error("not here")),
    },
  };
});

const IN = {
  challengeParameters: {},
  authenticationResult: { accessToken: "a", idToken: "i", refreshToken: "r", expiresInS: 1, tokenType: "Bearer" },
};

const askOf = (step: Step): Ask => ({ step, session: "first", username: "uid" });
const SELECT = askOf({ kind: "select", from: ["SOFTWARE_TOKEN_MFA", "SMS_MFA"] });

beforeEach(() => {
  forgetRemembered();
  for (const list of [given, answers, tokens]) list.length = 0;
});

function shown(first: Ask, begin: () => Promise<Ask | null> = () => Promise.resolve(null)) {
  const onPassword = vi.fn();
  render(
    <MantineProvider>
      <AskScreen first={first} begin={begin} onPassword={onPassword} />
    </MantineProvider>,
  );
  return { onPassword, user: userEvent.setup() };
}

const heading = (name: string) => screen.findByRole("heading", { level: 1, name });

it("a_password_of_ones_own_takes_the_place_of_one_that_was_set", async () => {
  const { user } = shown(askOf({ kind: "newPassword" }));
  await heading("Choose a new password");
  answers.push(refusal("INVALID_PASSWORD", Code.InvalidArgument, "Password is too common."), IN);
  await user.type(screen.getByLabelText("New password"), "12345678");
  await user.type(screen.getByLabelText("Confirm new password"), "12345678");
  await user.click(screen.getByRole("button", { name: "Set new password" }));
  expect(await screen.findByText("Password is too common.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Set new password" }));
  await vi.waitFor(() => expect(tokens).toHaveLength(1));
  expect((given as Given[])[1]).toEqual({
    challenge: ChallengeName.NEW_PASSWORD_REQUIRED,
    responses: { USERNAME: "uid", NEW_PASSWORD: "12345678" },
    session: "first",
  });
});

it("a_choice_leads_to_its_code_and_back_to_another", async () => {
  const begin = vi.fn(() => Promise.resolve({ ...SELECT, session: "second" }));
  const { user } = shown(SELECT, begin);
  await heading("How do you want to confirm it's you?");
  answers.push(
    {
      challengeName: ChallengeName.SMS_MFA,
      challengeParameters: { CODE_DELIVERY_DESTINATION: "+*******1234" },
      session: "sms",
    },
    { challengeName: ChallengeName.SOFTWARE_TOKEN_MFA, challengeParameters: {}, session: "totp" },
  );
  await user.click(screen.getByRole("button", { name: /^Text message/ }));
  await heading("Check your phone");
  expect(screen.getByText("+*******1234")).toBeVisible();
  window.history.back();
  await heading("How do you want to confirm it's you?");
  // A choice serves once: the sign-in is begun again by the same password.
  await user.click(screen.getByRole("button", { name: /^Authenticator app/ }));
  await heading("Enter your code");
  expect(begin).toHaveBeenCalledTimes(1);
  expect((given as Given[]).map(({ responses, session }) => [responses["ANSWER"], session])).toEqual([
    ["SMS_MFA", "first"],
    ["SOFTWARE_TOKEN_MFA", "second"],
  ]);
});

it("a_sign_in_that_took_too_long_is_back_at_the_password", async () => {
  const { onPassword, user } = shown(askOf({ kind: "totp" }));
  answers.push(refusal("NOT_AUTHORIZED", Code.Unauthenticated, "Invalid session for the user, session is expired."));
  await user.click(await screen.findByRole("button", { name: "Use a recovery code instead" }));
  await user.type(screen.getByLabelText("Recovery code"), "abcde fghjk");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await vi.waitFor(() => expect(onPassword).toHaveBeenCalledWith("That took too long. Please sign in again."));
  expect((given as Given[])[0]?.responses["SOFTWARE_TOKEN_MFA_CODE"]).toBe("abcdefghjk");
});

it("who_is_locked_out_hears_it_at_the_password", async () => {
  const { onPassword, user } = shown(askOf({ kind: "sms", to: "+*******1234" }));
  answers.push(refusal("PASSWORD_ATTEMPTS_EXCEEDED", Code.ResourceExhausted, "Password attempts exceeded"));
  await user.type(await screen.findByLabelText("Digit 1 of 6"), "123456");
  await vi.waitFor(() => expect(onPassword).toHaveBeenCalledWith("Too many attempts. Please try again later."));
});

it("a_code_that_was_used_is_not_called_wrong", async () => {
  const { user } = shown(askOf({ kind: "totp" }));
  answers.push(refusal("EXPIRED_CODE", Code.InvalidArgument, "Your software token has already been used once."));
  await user.type(await screen.findByLabelText("Digit 1 of 6"), "123456");
  expect(await screen.findByText("This code was already used. Wait for the next one.")).toBeVisible();
});

it("a_code_that_did_not_reach_the_server_is_sent_again_and_not_called_wrong", async () => {
  const { user } = shown(askOf({ kind: "totp" }));
  answers.push(new ConnectError("Failed to fetch", Code.Unavailable), IN);
  await user.type(await screen.findByLabelText("Digit 1 of 6"), "123456");
  expect(await screen.findByText("Network error")).toBeVisible();
  expect(document.querySelectorAll(".mantine-PinInput-input[data-error]")).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Retry" }));
  await vi.waitFor(() => expect(tokens).toHaveLength(1));
  const codes = (given as Given[]).map(({ responses }) => responses["SOFTWARE_TOKEN_MFA_CODE"]);
  expect(codes).toEqual(["123456", "123456"]);
});

it("a_wrong_code_is_sent_once_and_the_device_is_remembered_where_that_was_ticked_first", async () => {
  const { user } = shown(askOf({ kind: "sms", to: "+*******1234" }));
  answers.push(refusal("CODE_MISMATCH", Code.InvalidArgument, "Invalid code."), IN);
  await user.click(await screen.findByRole("checkbox", { name: "Remember this device" }));
  await user.type(screen.getByLabelText("Digit 1 of 6"), "111111");
  expect(await screen.findByRole("alert")).toHaveTextContent("Verification Failed");
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  expect(await screen.findByText("Please enter the verification code")).toBeVisible();
  expect(given).toHaveLength(1);
  await user.type(screen.getByLabelText("Digit 1 of 6"), "123456");
  await vi.waitFor(() => expect(tokens).toHaveLength(1));
  expect((given as Given[]).map(({ responses }) => responses["SMS_MFA_CODE"])).toEqual(["111111", "123456"]);
});

it("a_recovery_code_waits_for_the_button", async () => {
  const { user } = shown(askOf({ kind: "totp" }));
  answers.push(IN);
  await user.click(await screen.findByRole("button", { name: "Use a recovery code instead" }));
  await user.type(screen.getByLabelText("Recovery code"), "123456");
  expect(given).toHaveLength(0);
  await user.click(screen.getByRole("button", { name: "Sign In" }));
  await vi.waitFor(() => expect(tokens).toHaveLength(1));
});
