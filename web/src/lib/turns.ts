// One thing at a time for a form. What is under way goes on when its screen is left, and is told to whoever shows the form then.
import { useEffect, useSyncExternalStore } from "react";

type Turn<Outcome> = { what: string; done: Promise<Outcome> };

/** `went` tells a good outcome: what waits behind a bad one is not begun. Work never rejects. */
export function createTurns<Outcome>(went: (outcome: Outcome) => boolean) {
  const lines = new Map<string, readonly Turn<Outcome>[]>();
  const attending = new Map<string, (outcome: Outcome) => void>();
  const listeners = new Set<() => void>();

  const lineOf = (form: string): readonly Turn<Outcome>[] => lines.get(form) ?? [];

  function become(form: string, line: readonly Turn<Outcome>[]): void {
    if (line.length === 0) lines.delete(form);
    else lines.set(form, line);
    for (const listener of listeners) listener();
  }

  async function run(form: string, turn: Turn<Outcome>, missed: (outcome: Outcome) => void): Promise<void> {
    const outcome = await turn.done;
    const rest = lineOf(form).filter((t) => t !== turn);
    become(form, went(outcome) ? rest : []);
    (attending.get(form) ?? missed)(outcome);
  }

  /** Waits for what is under way, or joins it when it is the same. `missed` is told when nobody shows the form any more. */
  function take(form: string, what: string, work: () => Promise<Outcome>, missed: (outcome: Outcome) => void): void {
    const line = lineOf(form);
    if (line.some((t) => t.what === what)) return;
    const before = line.at(-1);
    if (before === undefined) {
      const turn = { what, done: work() };
      become(form, [turn]);
      void run(form, turn, missed);
      return;
    }
    const turn: Turn<Outcome> = { what, done: before.done.then((outcome) => (went(outcome) ? work() : outcome)) };
    become(form, [...line, turn]);
    // The failure of the one before is told by that one.
    void before.done.then((outcome) => (went(outcome) ? run(form, turn, missed) : undefined));
  }

  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  const underWay = (form: string): string =>
    lineOf(form)
      .map((t) => t.what)
      .join(" ");

  return {
    take,
    underWay,
    /** When nothing is under way any more. */
    async idle(form: string): Promise<void> {
      for (let last = lineOf(form).at(-1); last !== undefined; last = lineOf(form).at(-1)) {
        await last.done;
        // The one who runs the turn takes it out of the line first.
        await Promise.resolve();
      }
    },
    /** What is under way, as words with spaces; `attend` is told how it went as long as the form is shown. */
    useTurns(form: string, attend: (outcome: Outcome) => void): string {
      useEffect(() => {
        attending.set(form, attend);
        return () => {
          if (attending.get(form) === attend) attending.delete(form);
        };
      }, [form, attend]);
      return useSyncExternalStore(subscribe, () => underWay(form));
    },
  };
}
