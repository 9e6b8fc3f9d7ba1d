// What is said of an own action stands on the screen it belongs to, and ends with it.
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { Outcome } from "./Outcome";
import { say } from "./said";

afterEach(() => window.history.replaceState(null, "", "/"));

it("what_failed_ends_with_its_screen_and_does_not_come_back", () => {
  render(<Outcome />);
  act(() => say("Failed to save", "no"));
  expect(screen.getByRole("alert")).toHaveTextContent("Failed to save");
  act(() => navigate("/friends"));
  act(() => navigate("/"));
  expect(screen.queryByText("Failed to save")).not.toBeInTheDocument();
});

it("what_is_said_while_the_screen_goes_back_goes_along", async () => {
  navigate("/favors");
  navigate("/favors/f");
  render(<Outcome />);
  const back = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  await act(async () => {
    window.history.back();
    say("Favor deleted");
    await back;
  });
  expect(window.location.pathname).toBe("/favors");
  expect(screen.getByRole("status")).toHaveTextContent("Favor deleted");
});
