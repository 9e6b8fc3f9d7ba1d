// Sheets and questions as entries of the history.
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { step, useLayer } from "./layers";

const depth = (): number => (window.history.state as { layer?: number } | null)?.layer ?? 0;

function Layer({ name, onClose }: { name: string; onClose: () => void }) {
  useLayer(true, onClose);
  return (
    <button type="button" onClick={onClose}>
      {name}
    </button>
  );
}

function Two() {
  const [open, setOpen] = useState(["sheet", "question"]);
  return open.map((name, i) => <Layer key={name} name={name} onClose={() => setOpen(open.slice(0, i))} />);
}

/** A step of the browser's own, and what the app makes of it. */
async function went(go: () => void, to: number): Promise<void> {
  await act(async () => {
    go();
    await expect.poll(depth).toBe(to);
  });
}

it("of_two_on_each_other_back_closes_one_after_the_other", async () => {
  render(<Two />);
  await expect.poll(depth).toBe(2);
  await went(() => window.history.back(), 1);
  expect(screen.queryByText("question")).toBeNull();
  expect(screen.getByText("sheet")).toBeInTheDocument();
  await went(() => window.history.back(), 0);
  expect(screen.queryByText("sheet")).toBeNull();
});

it("both_go_with_their_entries_when_the_lower_one_is_closed", async () => {
  render(<Two />);
  await expect.poll(depth).toBe(2);
  await went(() => screen.getByText("sheet").click(), 0);
  expect(screen.queryByText("question")).toBeNull();
});

it("what_was_closed_does_not_come_again_forward", async () => {
  render(<Two />);
  await expect.poll(depth).toBe(2);
  await went(() => window.history.go(-2), 0);
  await act(async () => {
    const arrived = new Promise((resolve) =>
      window.addEventListener("popstate", resolve, { once: true, capture: true }),
    );
    window.history.forward();
    await Promise.race([arrived, new Promise((resolve) => setTimeout(resolve, 200))]);
  });
  await expect.poll(depth).toBe(0);
  expect(screen.queryByText("sheet")).toBeNull();
});

it("what_leads_elsewhere_waits_until_they_are_closed", async () => {
  render(<Two />);
  await expect.poll(depth).toBe(2);
  const before = window.history.length;
  await act(async () => {
    step(() => window.history.pushState(null, "", "/elsewhere"));
    await expect.poll(() => window.location.pathname).toBe("/elsewhere");
  });
  expect(screen.queryByText("sheet")).toBeNull();
  // The two entries gave way to one.
  expect(window.history.length).toBe(before - 1);
  window.history.replaceState(null, "", "/");
});

function Steps() {
  const [at, go] = useState(2);
  useLayer(
    at > 0,
    () => go(0),
    () => go(1),
  );
  useLayer(
    at > 1,
    () => go(1),
    () => go(2),
  );
  return (
    <>
      <p>{`at ${at}`}</p>
      <button type="button" onClick={() => go(0)}>
        leave
      </button>
    </>
  );
}

it("what_is_a_step_comes_again_forward", async () => {
  render(<Steps />);
  await expect.poll(depth).toBe(2);
  await went(() => window.history.back(), 1);
  await went(() => window.history.forward(), 2);
  expect(screen.getByText("at 2")).toBeInTheDocument();
  await went(() => window.history.go(-2), 0);
  expect(screen.getByText("at 0")).toBeInTheDocument();
  await went(() => window.history.go(2), 2);
  expect(screen.getByText("at 2")).toBeInTheDocument();
  await went(() => screen.getByText("leave").click(), 0);
});
