// One thing at a time for a form.
import { expect, it } from "vitest";
import { createTurns } from "./turns";

type Outcome = { ok: boolean; what: string };

/** Turns whose work ends when the test says so. */
function stage() {
  const turns = createTurns<Outcome>(({ ok }) => ok);
  const ends = new Map<string, (outcome: Outcome) => void>();
  const begun: string[] = [];
  const told: string[] = [];
  const take = (what: string): void =>
    turns.take(
      "form",
      what,
      () => {
        begun.push(what);
        return new Promise((resolve) => ends.set(what, resolve));
      },
      (outcome) => told.push(outcome.what),
    );
  const end = async (what: string, ok = true): Promise<void> => {
    ends.get(what)?.({ ok, what });
    await new Promise((resolve) => setTimeout(resolve));
  };
  return { turns, begun, told, take, end };
}

it("the_same_joins_what_is_under_way", async () => {
  const { begun, told, take, end } = stage();
  take("draft");
  take("draft");
  await end("draft");
  expect([begun, told]).toEqual([["draft"], ["draft"]]);
});

it("another_waits_for_its_turn", async () => {
  const { turns, begun, told, take, end } = stage();
  take("draft");
  take("post");
  expect([begun, turns.underWay("form")]).toEqual([["draft"], "draft post"]);
  await end("draft");
  expect([begun, turns.underWay("form")]).toEqual([["draft", "post"], "post"]);
  await end("post");
  expect([told, turns.underWay("form")]).toEqual([["draft", "post"], ""]);
});

it("what_waits_behind_a_failure_is_not_begun", async () => {
  const { turns, begun, told, take, end } = stage();
  take("draft");
  take("post");
  await end("draft", false);
  expect([begun, told, turns.underWay("form")]).toEqual([["draft"], ["draft"], ""]);
  take("post");
  expect(begun).toEqual(["draft", "post"]);
});

it("idle_waits_for_all", async () => {
  const { turns, take, end } = stage();
  let idle = false;
  take("draft");
  take("post");
  void turns.idle("form").then(() => (idle = true));
  await end("draft");
  expect(idle).toBe(false);
  await end("post");
  expect(idle).toBe(true);
});
