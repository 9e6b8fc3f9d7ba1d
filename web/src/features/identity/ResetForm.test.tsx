// A new password by a mailed code: the code sends itself only where nothing else is missing.
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, it, vi } from "vitest";
import { forgetRemembered } from "../../lib/remembered";
import { ResetForm } from "./ResetForm";

const { given } = vi.hoisted(() => ({ given: [] as unknown[] }));

vi.mock("./calls", () => ({
  resetPassword: (...args: unknown[]) => {
    given.push(args);
    return Promise.resolve();
  },
}));

beforeEach(() => {
  forgetRemembered();
  given.length = 0;
});

function show() {
  const onSet = vi.fn();
  render(
    <MantineProvider env="test">
      <ResetForm email="ana@example.com" onSet={onSet} onBack={() => undefined} />
    </MantineProvider>,
  );
  return onSet;
}

const typeCode = () => userEvent.type(screen.getByLabelText("Digit 1 of 6"), "123456");
const type = (label: string, text: string) => userEvent.type(screen.getByLabelText(label), text);

it("a_complete_code_waits_for_the_password", async () => {
  const onSet = show();
  await type("New password", "a good turn a day");
  await typeCode();
  expect(screen.queryByText("Please fill in all fields")).toBeNull();
  await type("Confirm new password", "a good turn a day");
  expect(given).toEqual([]);
  await userEvent.click(screen.getByRole("button", { name: "Set new password" }));
  await vi.waitFor(() => expect(onSet).toHaveBeenCalledWith("a good turn a day"));
});

it("where_the_password_is_there_the_code_sends_both", async () => {
  const onSet = show();
  await type("New password", "a good turn a day");
  await type("Confirm new password", "a good turn a day");
  await typeCode();
  await vi.waitFor(() => expect(onSet).toHaveBeenCalledTimes(1));
  expect(given).toEqual([["ana@example.com", "123456", "a good turn a day"]]);
});
