// Deleting the account: the typed word, the password, and what is said of each refusal.
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { DeleteSheet } from "./DeleteSheet";

const { given, refusals } = vi.hoisted(() => ({ given: [] as unknown[], refusals: [] as unknown[] }));

vi.mock("../../lib/current", () => {
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      closeAccount({ accessToken, password }) {
        given.push({ accessToken, password });
        const refused = refusals.shift();
        if (refused !== undefined) throw refused;
        return {};
      },
    }),
  );
  const identity = createClient(IdentityService, transport);
  return { session: { accessToken: () => Promise.resolve("token"), calls: () => Promise.resolve({ identity }) } };
});

beforeEach(() => {
  given.length = 0;
  refusals.length = 0;
});

const word = () => screen.getByLabelText("Type “delete” to confirm");
const password = () => screen.getByLabelText("Your password");
const send = () => userEvent.click(screen.getByRole("button", { name: "Delete my account" }));

function show(warning: ReactNode = null) {
  const onDeleted = vi.fn();
  renderWith(() => undefined, <DeleteSheet warning={warning} onDeleted={onDeleted} />);
  return onDeleted;
}

it("the_password_closes_the_account", async () => {
  const onDeleted = show();
  await userEvent.type(password(), "a good turn a day");
  await send();
  expect(screen.getByText("Please type “delete”")).toBeVisible();
  expect(given).toEqual([]);
  await userEvent.type(word(), "Delete");
  await send();
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
  expect(given).toEqual([{ accessToken: "token", password: "a good turn a day" }]);
});

it("a_warning_stands_above_the_password_and_stops_nobody", async () => {
  const onDeleted = show(<p>You have 2 open payments.</p>);
  const after = screen.getByText("You have 2 open payments.").compareDocumentPosition(password());
  expect(after & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  await userEvent.type(word(), "delete");
  await send();
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
});

it("soon_after_a_sign_in_no_password_is_needed", async () => {
  const onDeleted = show();
  await userEvent.type(word(), "delete");
  await send();
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
  expect(given).toEqual([{ accessToken: "token", password: "" }]);
});

it("a_wrong_password_is_told_at_its_field_counts_once_and_loses_nothing", async () => {
  const onDeleted = show();
  refusals.push(refusal("NOT_AUTHORIZED", Code.Unauthenticated, "Incorrect username or password."));
  await userEvent.type(word(), "delete");
  await userEvent.type(password(), "wrong");
  await send();
  expect(await screen.findByText("That's not your password.")).toBeVisible();
  expect(screen.queryByRole("alert")).toBeNull();
  expect(password()).toHaveFocus();
  expect(password()).toHaveValue("wrong");
  expect(word()).toHaveValue("delete");
  expect(given).toHaveLength(1);
  await userEvent.type(password(), "!");
  expect(screen.queryByText("That's not your password.")).toBeNull();
  await send();
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
});

it("a_password_is_sent_normalized_and_once_as_it_was_typed", async () => {
  const onDeleted = show();
  refusals.push(refusal("NOT_AUTHORIZED", Code.Unauthenticated, "Incorrect username or password."));
  await userEvent.type(word(), "delete");
  await userEvent.type(password(), "Zoe\u0308-2026");
  await send();
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
  expect(given).toEqual(["Zo\u00eb-2026", "Zoe\u0308-2026"].map((one) => ({ accessToken: "token", password: one })));
});

it("without_a_password_the_way_on_is_told", async () => {
  show();
  refusals.push(refusal("NOT_AUTHORIZED", Code.Unauthenticated, "Sign in again to delete your account."));
  await userEvent.type(word(), "delete");
  await send();
  expect(await screen.findByText(/^Enter your password\. If you don't have one, sign out/)).toBeVisible();
});

it.each([
  [refusal("ATTEMPTS_EXCEEDED", Code.ResourceExhausted), /^Too many wrong passwords/, false],
  [refusal("ITEMS_OUT"), /^Something you lent or borrowed/, false],
  [new ConnectError("down", Code.Unavailable), /^Network error/, true],
])("other_failures_have_their_words: %s", async (refused, text, mayRetry) => {
  const onDeleted = show();
  refusals.push(refused);
  await userEvent.type(word(), "delete");
  await userEvent.type(password(), "a good turn a day");
  await send();
  expect(await screen.findByText(text)).toBeVisible();
  const retry = screen.queryByRole("button", { name: "Retry" });
  expect(retry !== null).toBe(mayRetry);
  if (retry === null) return;
  await userEvent.click(retry);
  await vi.waitFor(() => expect(onDeleted).toHaveBeenCalledTimes(1));
});
