// Another password: the present one and the new one go as every device would write them.
import { Code, createClient, createRouterTransport } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { refusal } from "../../testing/refusals";
import { renderWith } from "../../testing/render";
import { PasswordSheet } from "./PasswordSheet";

const { given, right } = vi.hoisted(() => ({ given: [] as string[][], right: { password: "" } }));

vi.mock("../../lib/current", () => {
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      changePassword({ previousPassword, proposedPassword }) {
        given.push([previousPassword, proposedPassword]);
        if (previousPassword !== right.password) throw refusal("NOT_AUTHORIZED", Code.Unauthenticated);
        return {};
      },
    }),
  );
  const identity = createClient(IdentityService, transport);
  return { session: { accessToken: () => Promise.resolve("token"), calls: () => Promise.resolve({ identity }) } };
});

beforeEach(() => {
  given.length = 0;
});

const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

async function change(present: string, next: string, again: string) {
  const onSaved = vi.fn();
  renderWith(() => undefined, <PasswordSheet onSaved={onSaved} />);
  await type("Current password", present);
  await type("New password", next);
  await type("Confirm new password", again);
  await userEvent.click(screen.getByRole("button", { name: "Change password" }));
  return onSaved;
}

it("both_are_sent_normalized", async () => {
  right.password = "Zo\u00eb-2026";
  const onSaved = await change("Zoe\u0308-2026", "cafe\u0301-2026", "caf\u00e9-2026");
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1));
  expect(given).toEqual([["Zo\u00eb-2026", "caf\u00e9-2026"]]);
});

it("a_present_one_that_was_set_before_is_taken_as_it_was_typed", async () => {
  right.password = "Zoe\u0308-2026";
  const onSaved = await change("Zoe\u0308-2026", "a good turn", "a good turn");
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledTimes(1));
  expect(given.map(([present]) => present)).toEqual(["Zo\u00eb-2026", "Zoe\u0308-2026"]);
});

it("a_wrong_one_counts_once", async () => {
  right.password = "a good turn";
  await change("Zo\u00eb-2026", "a good turn a day", "a good turn a day");
  expect(await screen.findByText("That's not your current password.")).toBeVisible();
  expect(given).toHaveLength(1);
});
