// The states of a query: what is not known is not shown as nothing, and what was loaded stays.
import { MantineProvider } from "@mantine/core";
import { fireEvent, render, screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { type Asked, Loaded } from "./Loaded";
import { Outcome } from "./Outcome";

function shown(query: Partial<Asked<string[]>>) {
  return (
    <MantineProvider env="test">
      <Outcome />
      <Loaded
        query={{ data: undefined, isError: false, isFetching: false, refetch: () => undefined, ...query }}
        skeleton={<p>On its way</p>}
        failed="Failed to load"
        isEmpty={(names) => names.length === 0}
        empty={<p>Nobody</p>}
      >
        {(names) => (
          <>
            <p>{names.join(", ")}</p>
            <input aria-label="Words" />
          </>
        )}
      </Loaded>
    </MantineProvider>
  );
}

const show = (query: Partial<Asked<string[]>>) => render(shown(query));

it("what_is_on_its_way_is_a_skeleton_and_not_empty", () => {
  show({});
  expect(screen.getByText("On its way")).toBeInTheDocument();
  expect(screen.queryByText("Nobody")).not.toBeInTheDocument();
});

it("what_failed_says_so_and_is_not_empty", () => {
  show({ isError: true });
  expect(screen.getByText("Failed to load")).toBeInTheDocument();
  expect(screen.getByRole("button", { name: "Retry" })).toBeInTheDocument();
  expect(screen.queryByText("Nobody")).not.toBeInTheDocument();
});

it("only_what_was_loaded_can_be_empty", () => {
  show({ data: [] });
  expect(screen.getByText("Nobody")).toBeInTheDocument();
});

it("a_failed_refetch_keeps_what_is_there_and_says_so", () => {
  show({ data: ["Ana", "Ben"], isError: true });
  expect(screen.getByText("Ana, Ben")).toBeInTheDocument();
  expect(screen.getByText("This couldn't be refreshed.")).toBeInTheDocument();
});

it("what_is_typed_goes_on_when_asking_again_fails_and_when_it_goes_well", () => {
  const { rerender } = show({ data: ["Ana"] });
  fireEvent.change(screen.getByLabelText("Words"), { target: { value: "Sunday at noon?" } });
  rerender(shown({ data: ["Ana"], isError: true }));
  expect(screen.getByText("This couldn't be refreshed.")).toBeInTheDocument();
  expect(screen.getByLabelText("Words")).toHaveValue("Sunday at noon?");
  rerender(shown({ data: ["Ana"] }));
  expect(screen.getByLabelText("Words")).toHaveValue("Sunday at noon?");
});
