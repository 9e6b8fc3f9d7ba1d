// Another phone number: read in the digits of any script, and sent as the server keeps it.
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { IdentityService } from "../../gen/goodturn/identity/v1/identity_service_pb";
import { renderWith } from "../../testing/render";
import { ContactSheet } from "./ContactSheet";

const { given } = vi.hoisted(() => ({ given: [] as unknown[] }));

vi.mock("../../lib/current", () => {
  const transport = createRouterTransport(({ service }) =>
    service(IdentityService, {
      updateUserAttributes({ userAttributes }) {
        given.push(...userAttributes.map(({ name, value }) => [name, value]));
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

async function send(number: string): Promise<void> {
  renderWith(() => undefined, <ContactSheet name="phone_number" present="" onSaved={() => undefined} />);
  await userEvent.click(screen.getByLabelText("Phone number with country code"));
  await userEvent.paste(number);
  await userEvent.click(screen.getByRole("button", { name: "Send code" }));
}

it.each([
  "+971501234567",
  "+٩٧١ ٥٠ ١٢٣ ٤٥٦٧",
  "＋９７１－５０－１２３－４５６７",
  "+९७१ ५० १२३ ४५६७",
  "\u202a+971\u00a050\u2011123\u20114567\u202c",
  "tel:+971.50.123.4567",
  "+971/50/123/4567",
  "\u200e\u200e\u200e\u200e\u200e\u200e\u200e\u200e+971 (50) 123 - 45 - 67\u200e",
])("%j_is_sent_whole", async (number) => {
  await send(number);
  await vi.waitFor(() => expect(given).toEqual([["phone_number", "+971501234567"]]));
});

it.each(["0501234567", "+971 call me", "+①②③④⑤⑥⑦⑧"])("%j_is_an_error_at_the_field", async (number) => {
  await send(number);
  expect(screen.getByText("Invalid Phone Number: Please enter a valid phone number")).toBeVisible();
  expect(screen.getByLabelText("Phone number with country code")).toHaveFocus();
  expect(given).toEqual([]);
});
