// What came of what was typed goes when it is typed over.
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useOutcome } from "./outcome";

let type: (text: string) => void;
let came: (outcome: string) => void;

function Form() {
  const [typed, setTyped] = useState({ text: "a" });
  const [outcome, setOutcome] = useOutcome(typed, "nothing");
  type = (text) => setTyped({ text });
  came = setOutcome;
  return <p>{outcome}</p>;
}

it("an_outcome_goes_when_it_is_typed_over_and_does_not_come_back", () => {
  render(<Form />);
  act(() => came("refused"));
  expect(screen.getByText("refused")).toBeInTheDocument();
  act(() => type("ab"));
  expect(screen.getByText("nothing")).toBeInTheDocument();
  act(() => type("a"));
  expect(screen.getByText("nothing")).toBeInTheDocument();
});

it("what_came_late_is_shown_and_what_came_with_a_change_belongs_to_it", () => {
  render(<Form />);
  act(() => type("abc"));
  act(() => came("refused"));
  expect(screen.getByText("refused")).toBeInTheDocument();
  act(() => {
    type("");
    came("sent again");
  });
  expect(screen.getByText("sent again")).toBeInTheDocument();
});
