// Sheets and questions as entries of the history.
import { act, render, screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it } from "vitest";
import { useLightLayer } from "./asking";
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

function Asking({ onBack }: { onBack: (again?: () => void) => void }) {
  useLightLayer(true, (_byBack, again) => onBack(again));
  return <p>asking</p>;
}

const atNow = (): number => (window.history.state as { at?: number } | null)?.at ?? 0;

async function until(go: () => void, isDone: () => boolean): Promise<void> {
  await act(async () => {
    go();
    await expect.poll(isDone).toBe(true);
  });
}

it("a_way_back_is_taken_after_the_question_and_nothing_ahead_is_lost", async () => {
  for (const [at, path] of ["/", "/list", "/form", "/ahead"].entries())
    History.prototype[at === 0 ? "replaceState" : "pushState"].call(window.history, { at }, "", path);
  window.dispatchEvent(new Event("replaceState"));
  await until(
    () => window.history.back(),
    () => window.location.pathname === "/form",
  );
  const before = window.history.length;
  const ways: ((() => void) | undefined)[] = [];
  const { unmount } = render(<Asking onBack={(again) => ways.push(again)} />);
  await until(
    () => window.history.go(-2),
    () => ways.length === 1,
  );
  expect([window.location.pathname, window.history.length]).toEqual(["/form", before]);
  // Who is asked stays, and is asked once more.
  await until(
    () => window.history.back(),
    () => ways.length === 2,
  );
  unmount();
  await until(
    () => ways[0]?.(),
    () => atNow() === 0,
  );
  await until(
    () => window.history.go(3),
    () => window.location.pathname === "/ahead",
  );
  window.history.replaceState(null, "", "/");
});

function Held({ onClose }: { onClose: () => void }) {
  const [isHeld, hold] = useState(true);
  useLayer(true, onClose);
  useLightLayer(isHeld, () => undefined);
  return (
    <button type="button" onClick={() => hold(false)}>
      let go
    </button>
  );
}

const letGo = (): void => queueMicrotask(() => screen.getByText("let go").click());

it("a_way_back_is_taken_when_what_asks_lets_go_before_it_has_asked", async () => {
  History.prototype.replaceState.call(window.history, { at: 0 }, "", "/");
  History.prototype.pushState.call(window.history, { at: 1 }, "", "/form");
  window.dispatchEvent(new Event("replaceState"));
  const closed: number[] = [];
  render(<Held onClose={() => closed.push(depth())} />);
  await expect.poll(depth).toBe(1);
  // While the way back is being taken back.
  window.addEventListener("popstate", letGo, { once: true, capture: true });
  await until(
    () => window.history.back(),
    () => closed.length === 1,
  );
  expect(closed).toEqual([0]);
  expect(window.location.pathname).toBe("/form");
});

it("back_at_once_after_forward_is_back", async () => {
  render(<Steps />);
  await expect.poll(depth).toBe(2);
  await went(() => window.history.back(), 1);
  await act(async () => {
    // Before anybody has drawn the step.
    window.addEventListener("popstate", () => window.history.back(), { once: true, capture: true });
    window.history.forward();
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  expect(depth()).toBe(1);
  expect(screen.getByText("at 1")).toBeInTheDocument();
  await went(() => screen.getByText("leave").click(), 0);
});
