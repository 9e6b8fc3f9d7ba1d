// A code is sent by itself with its last digit: once, and nothing else than what was meant.
import { Code, ConnectError } from "@connectrpc/connect";
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { refusal } from "../testing/refusals";
import { CodeForm } from "./CodeForm";

const wrong = () => refusal("CODE_MISMATCH", Code.InvalidArgument);

/** `outcomes`: what becomes of each code, one after another; those beyond are taken. */
function show(...outcomes: (Error | Promise<void>)[]) {
  const sent: string[] = [];
  render(
    <MantineProvider env="test">
      <CodeForm
        failed="Not Verified"
        send="Verify"
        above={null}
        onCode={(code) => {
          sent.push(code);
          const outcome = outcomes.shift();
          return outcome instanceof Error ? Promise.reject(outcome) : (outcome ?? Promise.resolve());
        }}
      />
    </MantineProvider>,
  );
  return sent;
}

const digit = (n: number) => screen.getByLabelText(`Digit ${n} of 6`);
const verify = () => userEvent.click(screen.getByRole("button", { name: "Verify" }));

it("the_last_digit_sends_it", async () => {
  const sent = show();
  await userEvent.type(digit(1), "12345");
  expect(sent).toEqual([]);
  await userEvent.type(digit(6), "6");
  expect(sent).toEqual(["123456"]);
});

it("a_pasted_code_is_sent", async () => {
  const sent = show();
  await userEvent.click(digit(1));
  await userEvent.paste(" 123 456 ");
  expect(sent).toEqual(["123456"]);
});

it("while_it_is_on_its_way_nothing_is_sent_twice", async () => {
  const sent = show(new Promise<void>(() => undefined));
  await userEvent.type(digit(1), "123456");
  await verify();
  await userEvent.type(digit(6), "{Enter}");
  expect(sent).toEqual(["123456"]);
});

it("a_wrong_code_is_not_sent_again_and_is_typed_anew_from_its_first_digit", async () => {
  const sent = show(wrong(), wrong());
  await userEvent.type(digit(1), "111111");
  expect(await screen.findByText("Invalid verification code")).toBeVisible();
  await vi.waitFor(() => expect(digit(1)).toHaveFocus());
  await verify();
  expect(screen.getByText("Please enter the verification code")).toBeVisible();
  expect(sent).toEqual(["111111"]);
  // No code of old and new digits is sent on the way.
  await userEvent.click(digit(1));
  await userEvent.keyboard("113456");
  await vi.waitFor(() => expect(sent).toEqual(["111111", "113456"]));
  expect(await screen.findByText("Invalid verification code")).toBeVisible();
  await userEvent.click(digit(1));
  await userEvent.paste("113457");
  expect(sent).toEqual(["111111", "113456", "113457"]);
});

it("a_code_that_did_not_arrive_waits_for_retry_and_is_sent_again_when_it_is_retyped", async () => {
  const sent = show(new ConnectError("down", Code.Unavailable), new ConnectError("down", Code.Unavailable));
  await userEvent.type(digit(1), "123456");
  expect(await screen.findByText(/Network error/)).toBeVisible();
  expect(digit(6)).toHaveValue("6");
  expect(sent).toEqual(["123456"]);
  await userEvent.type(digit(6), "{Backspace}");
  expect(digit(6)).toHaveValue("");
  await userEvent.type(digit(6), "6");
  expect(sent).toEqual(["123456", "123456"]);
});

it("digits_typed_over_a_complete_code_are_sent_with_the_last", async () => {
  const sent = show(new ConnectError("down", Code.Unavailable));
  await userEvent.type(digit(1), "123456");
  expect(await screen.findByText(/Network error/)).toBeVisible();
  await userEvent.click(digit(1));
  await userEvent.keyboard("65432");
  expect(sent).toEqual(["123456"]);
  await userEvent.keyboard("1");
  expect(sent).toEqual(["123456", "654321"]);
});

it.each([
  "７９５１７８",
  "٧٩٥١٧٨",
  "۷۹۵۱۷۸",
  "७९५१७८",
  "৭৯৫১৭৮",
  "𝟕𝟗𝟓𝟏𝟕𝟖",
  "795-178",
  "795 178\n",
  "G-795178",
  "\u200b795178",
  "\u202a795178\u202c",
  "\ufeff795178",
  "Your Goodturn code is 795178.",
])("a_code_that_is_pasted_as_%j_is_sent", async (text) => {
  const sent = show();
  await userEvent.click(digit(1));
  await userEvent.paste(text);
  expect(sent).toEqual(["795178"]);
  expect(digit(1)).toHaveValue("7");
});

it.each(["７９５１７８", "٧٩٥١٧٨", "𝟕𝟗𝟓𝟏𝟕𝟖"])("a_code_that_is_typed_as_%j_is_sent", async (text) => {
  const sent = show();
  await userEvent.click(digit(1));
  for (const [i, sign] of [...text].entries()) {
    expect(digit(i + 1)).toHaveFocus();
    fireEvent.change(digit(i + 1), { target: { value: sign } });
  }
  expect(sent).toEqual(["795178"]);
});

it("a_code_that_a_phone_fills_in_is_sent", () => {
  const sent = show();
  fireEvent.change(digit(1), { target: { value: "795178" } });
  expect(sent).toEqual(["795178"]);
});

it.each(["Use 795178 or 123456", "7951780", "Your code"])("where_%j_is_pasted_nothing_is_guessed", async (text) => {
  const sent = show();
  const unread = "We couldn't find a 6-digit code in that. Please type it instead.";
  await userEvent.type(digit(1), "12");
  await userEvent.paste(text);
  expect(screen.getByText(unread)).toBeVisible();
  expect([digit(1), digit(2), digit(3)].map((field) => field.getAttribute("value"))).toEqual(["1", "2", ""]);
  await userEvent.type(digit(3), "3");
  expect(screen.queryByText(unread)).toBeNull();
  await userEvent.type(digit(4), "x");
  expect(screen.getByText(unread)).toBeVisible();
  expect(sent).toEqual([]);
});

it("the_beginning_of_a_code_is_filled_in_and_goes_on_behind_it", async () => {
  const sent = show();
  await userEvent.click(digit(1));
  await userEvent.paste("795-");
  expect(digit(4)).toHaveFocus();
  await userEvent.keyboard("178");
  expect(sent).toEqual(["795178"]);
});
