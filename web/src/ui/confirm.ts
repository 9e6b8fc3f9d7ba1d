// Asks before something that cannot be taken back: `if (await confirmed({...}))`. ConfirmHost shows it.
import type { ReactNode } from "react";
import { rememberFocus } from "./focus";

export type Question = {
  title: string;
  /** What it is about, in its member's words: the title of a favor. */
  about?: string;
  text: string;
  /** The deed itself, unless the documents have another word. */
  yes: string;
  no?: string;
  /** A field for optional words: `fieldFor` of along.tsx. */
  field?: ReactNode;
  /** Filled red: what is confirmed destroys something. */
  destructive?: boolean;
  /** The documents give the Cancel of a status change the destructive style. */
  cancelStandsOut?: boolean;
};
export type Asked = Question & { id: number; answer: (yes: boolean) => void };

let lastId = 0;
let asked: Asked | null = null;
const listeners = new Set<() => void>();
const tell = (): void => {
  for (const listener of listeners) listener();
};

export const questions = {
  /** The open question, or null. */
  open: () => asked,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function confirmed(question: Question): Promise<boolean> {
  asked?.answer(false);
  const giveBack = rememberFocus();
  return new Promise((resolve) => {
    lastId += 1;
    asked = {
      ...question,
      id: lastId,
      answer: (yes) => {
        asked = null;
        tell();
        giveBack();
        resolve(yes);
      },
    };
    tell();
  });
}
