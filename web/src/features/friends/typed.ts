// What is typed to find a friend: kept over a reload and on other screens until the request or the invitation is sent.
import { session } from "../../lib/current";
import { forget, keep, kept, useKept } from "../../lib/kept";
import { newKey } from "../../lib/keys";

const FORM = "find";

/**
 * `searched` is the contact that was looked for last, `message` goes to whom it belongs. `key`: all tries to send the same words to the same
 * one have one, so that one of them counts at most.
 */
type Typed = { contact: string; searched: string; message: string; key: string };
const NOTHING: Typed = { contact: "", searched: "", message: "", key: "" };

function readTyped(value: unknown): Typed | null {
  if (typeof value !== "object" || value === null) return null;
  const { contact, searched, message, key } = value as Partial<Record<keyof Typed, unknown>>;
  return {
    contact: String(contact ?? ""),
    searched: String(searched ?? ""),
    message: String(message ?? ""),
    key: String(key ?? ""),
  };
}

export function useTyped(me: string) {
  const typed = useKept(me, FORM, readTyped) ?? NOTHING;
  return {
    ...typed,
    type: (part: Partial<Omit<Typed, "key">>): void => keep(me, FORM, { ...typed, ...part, key: newKey() }),
    /** What was typed since, while an answer was waited for, stays. */
    clear(): void {
      if (kept(me, FORM, readTyped)?.key === typed.key) forget(me, FORM);
    },
  };
}

const INVITED = "invited";

const readInvited = (value: unknown): readonly string[] | null =>
  Array.isArray(value) ? value.filter((one) => typeof one === "string") : null;

function hasLeft(me: string): boolean {
  const state = session.get();
  return state.kind === "signedOut" || (state.kind === "signedIn" && state.member.uid !== me);
}

/** The addresses that were invited since the sign-in: nothing more is sent to them. */
export function useInvited(me: string) {
  const invited = useKept(me, INVITED, readInvited);
  return {
    has: (address: string): boolean => invited?.includes(address.toLowerCase()) === true,
    add(address: string): void {
      // A member who has left leaves nothing behind.
      if (hasLeft(me)) return;
      keep(me, INVITED, [...new Set(kept(me, INVITED, readInvited)).add(address.toLowerCase())]);
    },
    /** An invitation that was withdrawn does not stand in the way of another one. */
    remove(address: string): void {
      if (hasLeft(me)) return;
      const all = new Set(kept(me, INVITED, readInvited));
      all.delete(address.toLowerCase());
      keep(me, INVITED, [...all]);
    },
  };
}
