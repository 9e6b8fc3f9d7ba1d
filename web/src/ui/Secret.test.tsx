// The key of an authenticator on a phone, which cannot scan its own screen.
import { MantineProvider } from "@mantine/core";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { Secret } from "./Secret";

it("the_key_opens_in_the_authenticator_or_is_copied_by_one_press_which_is_read_out", async () => {
  const user = userEvent.setup();
  render(
    <MantineProvider env="test">
      <Secret secret="JBSWY3DPEHPK3PXP" account="ana@example.com" />
    </MantineProvider>,
  );
  expect(screen.getByRole("link", { name: "Open in your authenticator app" })).toHaveAttribute(
    "href",
    "otpauth://totp/Goodturn%3Aana%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Goodturn",
  );
  expect(screen.getByText("JBSW Y3DP EHPK 3PXP")).toBeVisible();
  expect(screen.getByRole("status")).toBeEmptyDOMElement();
  await user.click(screen.getByRole("button", { name: "Copy key" }));
  // Without the spaces that it is shown with.
  expect(await navigator.clipboard.readText()).toBe("JBSWY3DPEHPK3PXP");
  expect(screen.getByRole("status")).toHaveTextContent("Copied");
});
