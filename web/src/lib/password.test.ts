// Passwords that look alike are alike, and one that was set before is still right.
import { Code } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { lost, refusal } from "../testing/refusals";
import { answerOf } from "./asked";
import { lengthOf, normalized } from "./password";
import { proved } from "./proved";

/** [as one keyboard writes it, as another does] */
const ALIKE = [
  ["Zoe\u0308-2026", "Zo\u00eb-2026"],
  ["cafe\u0301 au lait", "caf\u00e9 au lait"],
  ["a\u030angstro\u0308m", "\u00e5ngstr\u00f6m"],
  ["\u212bngstr\u00f6m", "\u00c5ngstr\u00f6m"],
  ["e\u0302\u0323 Vie\u0302\u0323t", "\u1ec7 Vi\u1ec7t"],
  ["\u1112\u1161\u11ab\u1100\u1173\u11af", "\ud55c\uae00"],
  ["\u304b\u3099\u304d\u3099\u304f\u3099", "\u304c\u304e\u3050"],
  ["n\u0303andu\u0301", "\u00f1and\u00fa"],
] as const;

const refused = refusal("NOT_AUTHORIZED", Code.Unauthenticated);

/** Proves where one of the right ones is given. */
function prover(...right: string[]) {
  const tries: string[] = [];
  const prove = (password: string): Promise<string> => {
    tries.push(password);
    return right.includes(password) ? Promise.resolve("in") : Promise.reject(refused);
  };
  return { tries, prove };
}

it.each(ALIKE)("%j_and_%j_are_one", (one, other) => {
  expect(one).not.toBe(other);
  expect(normalized(one)).toBe(other);
  expect(lengthOf(one)).toBe(lengthOf(other));
});

it("counts_characters", () => {
  expect(lengthOf("e\u0301".repeat(7))).toBe(7);
  expect(lengthOf("\u{1f600}".repeat(7))).toBe(7);
});

it.each(ALIKE)("%j_proves_%j_at_the_first_try", async (one, other) => {
  for (const typed of [one, other]) {
    const { tries, prove } = prover(other);
    expect(await proved(typed, prove)).toBe("in");
    expect(tries).toEqual([other]);
  }
});

it.each(ALIKE)("%j_that_was_set_so_is_tried_so_once", async (typed, normal) => {
  const { tries, prove } = prover(typed);
  expect(await proved(typed, prove)).toBe("in");
  expect(tries).toEqual([normal, typed]);
});

it.each(["wrong password", "Zo\u00eb-2026", "\ud55c\uae00"])("%j_counts_as_one_wrong_try", async (typed) => {
  const { tries, prove } = prover();
  await expect(proved(typed, prove)).rejects.toBe(refused);
  expect(tries).toEqual([typed]);
});

it("nothing_else_than_a_refusal_is_tried_again", async () => {
  for (const error of [lost(), refusal("ATTEMPTS_EXCEEDED"), refusal("USER_NOT_CONFIRMED")]) {
    const tries: string[] = [];
    const prove = (password: string): Promise<never> => {
      tries.push(password);
      return Promise.reject(error);
    };
    await expect(proved("Zoe\u0308-2026", prove)).rejects.toBe(error);
    expect(tries).toHaveLength(1);
  }
});

it("one_that_takes_the_place_of_a_temporary_one_is_normalized", () => {
  const ask = { step: { kind: "newPassword" }, session: "s", username: "ana" } as const;
  expect(answerOf(ask, "Zoe\u0308-2026").responses["NEW_PASSWORD"]).toBe("Zo\u00eb-2026");
});
