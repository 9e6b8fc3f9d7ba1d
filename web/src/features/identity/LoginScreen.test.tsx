// The door: whoever stands there has nothing left of what the server told somebody else, whatever became of their tokens.
import { screen } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
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
