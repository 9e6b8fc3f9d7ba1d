// A code is sent by itself with its last digit: once, and nothing else than what was meant.
import { Code, ConnectError } from "@connectrpc/connect";
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
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
