// What is said of an own action stands on the screen it belongs to, and ends with it.
import { act, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { navigate } from "wouter/use-browser-location";
import { Failed } from "./Failed";
import { Outcome } from "./Outcome";
import { SheetOutcome } from "./SheetOutcome";
import { met } from "../lib/reach";
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

it("what_was_said_ends_when_something_else_is_pressed_and_what_waits_stays", () => {
  render(
    <main>
      <Outcome />
      <button type="button">Next</button>
    </main>,
  );
  act(() => say("Saved"));
  act(() => screen.getByRole("button", { name: "Next" }).click());
  expect(screen.queryByText("Saved")).not.toBeInTheDocument();
  act(() => say("The server is told later", "wait"));
  act(() => screen.getByRole("button", { name: "Next" }).click());
  expect(screen.getByText("The server is told later")).toBeInTheDocument();
});

it("an_outcome_names_its_thing_where_that_is_not_what_is_shown", () => {
  render(<Outcome />);
  const about = { name: "Mend the gate", path: "/favors/f" };
  act(() => say("Done", "ok", { about }));
  expect(screen.getByRole("status")).toHaveTextContent("Mend the gate");
  act(() => navigate("/favors/f?view=asked"));
  act(() => say("Done", "ok", { about }));
  expect(screen.getByRole("status")).not.toHaveTextContent("Mend the gate");
});

const Shown = ({ isOpen }: { isOpen: boolean }) => (
  <>
    <Outcome />
    {isOpen && <SheetOutcome />}
  </>
);

it("what_a_sheet_says_is_not_said_behind_it_too", () => {
  const { rerender } = render(<Shown isOpen={false} />);
  act(() => say("Failed to send", "no"));
  expect(screen.getByRole("alert")).toHaveTextContent("Failed to send");
  rerender(<Shown isOpen />);
  const [behind, sheet] = document.querySelectorAll(".outcome");
  expect(behind).toBeEmptyDOMElement();
  expect(sheet).toHaveTextContent("Failed to send");
  rerender(<Shown isOpen={false} />);
  expect(screen.getByRole("alert")).toHaveTextContent("Failed to send");
});

it("that_there_is_no_connection_is_said_until_there_is_one_again", () => {
  act(() => void window.dispatchEvent(new Event("offline")));
  render(<Failed text="Not saved." isLost isTyped />);
  expect(screen.getByRole("alert")).toHaveTextContent("Not saved. No connection. We kept what you typed.");
  act(() => met(performance.now()));
  expect(screen.getByRole("alert")).toHaveTextContent("Not saved. We kept what you typed.");
});
