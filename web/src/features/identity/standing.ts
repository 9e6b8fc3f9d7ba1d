// Where somebody stands who signs in, and what follows on an answer: the rules, without screen and network.
import type { Ask } from "../../lib/asked";

/** What came of an answer. */
export type Outcome =
  | { kind: "in" }
  | { kind: "asked"; ask: Ask }
  /** `code` and `password` are what was given; `session` has ended; `locked` for a while; `unreached` was not even heard. */
  | { kind: "refused"; what: "code" | "password" | "session" | "locked" | "unreached" | "other"; text: string };

/** What is said at the step: of the code or password that was given, or of the sending of it. */
export type Said =
  | { kind: "nothing" | "sent" }
  | { kind: "wrong"; what: "code" | "password"; text: string }
  | { kind: "failed"; text: string; again: boolean };

export const NOTHING_SAID: Said = { kind: "nothing" };

export type Standing =
  | { at: "in" }
  /** Back at the password, with the reason. */
  | { at: "password"; why: "expired" | "tries" | "locked"; text: string }
  | { at: "asked"; ask: Ask; wrongs: number; said: Said };

export const asked = (ask: Ask): Standing => ({ at: "asked", ask, wrongs: 0, said: NOTHING_SAID });

/** So many wrong codes end a sign-in. */
const TRIES = 5;

export function next(standing: Standing & { at: "asked" }, outcome: Outcome): Standing {
  if (outcome.kind === "in") return { at: "in" };
  if (outcome.kind === "asked") return asked(outcome.ask);
  const { what, text } = outcome;
  switch (what) {
    case "code":
      return { ...standing, wrongs: standing.wrongs + 1, said: { kind: "wrong", what, text } };
    case "password":
      return { ...standing, said: { kind: "wrong", what, text } };
    case "session":
      return { at: "password", why: standing.wrongs < TRIES ? "expired" : "tries", text };
    case "locked":
      return { at: "password", why: "locked", text };
    case "unreached":
    case "other":
      return { ...standing, said: { kind: "failed", text, again: what === "unreached" } };
    default:
      return what satisfies never;
  }
}
