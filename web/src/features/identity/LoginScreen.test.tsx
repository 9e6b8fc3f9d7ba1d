// The door: whoever stands there has nothing left of what the server told somebody else, whatever became of their tokens.
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { session } from "../../lib/current";
import { keep, kept } from "../../lib/kept";
import { renderWith } from "../../testing/render";
import { LoginScreen } from "./LoginScreen";

beforeEach(() => {
  vi.stubGlobal("fetch", () => Promise.resolve(Response.json({ clientId: "web", userPoolId: "us-east-1_x" })));
});

it("nothing_of_what_the_server_said_is_left_on_the_device_and_what_is_typed_stays", async () => {
  localStorage.setItem("goodturn.cache.ana-profile", "kept");
  localStorage.setItem("goodturn.phone_step.ana", "over");
  keep("", "a form", "typed");
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByLabelText("Password")).toBeInTheDocument();
  expect(Object.keys(localStorage)).toEqual(["goodturn.phone_step.ana"]);
  expect(kept("", "a form", String)).toBe("typed");
});

it("terms_and_privacy_can_be_read_before_signing_up", async () => {
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByRole("link", { name: "Terms" })).toHaveAttribute("href", "/terms");
  expect(screen.getByRole("link", { name: "Privacy" })).toHaveAttribute("href", "/privacy");
});

it("a_session_that_ended_elsewhere_is_told_and_its_address_is_filled_in", async () => {
  vi.spyOn(session, "endedFor").mockReturnValue("ana@goodturn.example");
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByText("You were signed out. Sign in again to continue.")).toBeInTheDocument();
  expect(screen.getByLabelText("Email")).toHaveValue("ana@goodturn.example");
});

it("nothing_is_told_where_no_session_has_ended", async () => {
  renderWith(() => undefined, <LoginScreen comesBack={false} />);
  expect(await screen.findByLabelText("Email")).toHaveValue("");
  expect(screen.queryByText(/You were signed out/)).toBeNull();
});
