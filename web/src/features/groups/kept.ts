// What stands in the form of a group and is not saved yet: as one entry with the group that it stands for, as that was.
import { forget, keep, kept, useKept } from "../../lib/kept";
import { blank, type GroupValues, isSame, readValues } from "./form";

const FORM = "group";

/** The last try, which went wrong. `isLost`: the server was not reached. */
export type Unsaved = { text: string; isLost: boolean };
/**
 * `id` is the group that is edited; empty in the form of a new one. `base` is what was typed over, `search` what the friends are
 * searched for. All tries to make the same group have one
 * `key`, so that one of them counts. `isSending`: a page that begins with it was loaded anew before the answer came.
 */
export type Held = {
  id: string;
  values: GroupValues;
  base: GroupValues;
  search: string;
  key: string;
  isSending: boolean;
  failed: Unsaved | null;
};

export const NOTHING: Held = {
  id: "",
  values: blank(),
  base: blank(),
  search: "",
  key: "",
  isSending: false,
  failed: null,
};

function readUnsaved(value: unknown): Unsaved | null {
  if (typeof value !== "object" || value === null) return null;
  const { text, isLost } = value as Partial<Record<keyof Unsaved, unknown>>;
  return { text: String(text), isLost: isLost === true };
}

/** Nothing, when it has not the shape of this form any more. */
function readHeld(value: unknown): Held | null {
  if (typeof value !== "object" || value === null) return null;
  const held = value as Partial<Record<keyof Held, unknown>>;
  const [values, base] = [readValues(held.values), readValues(held.base)];
  if (values === null || base === null) return null;
  return {
    id: String(held.id ?? ""),
    values,
    base,
    search: String(held.search ?? ""),
    key: String(held.key ?? ""),
    isSending: held.isSending === true,
    failed: readUnsaved(held.failed),
  };
}

export const heldOf = (me: string): Held => kept(me, FORM, readHeld) ?? NOTHING;
export const useHeld = (me: string): Held => useKept(me, FORM, readHeld) ?? NOTHING;
export const hold = (me: string, held: Held): void => keep(me, FORM, held);
export const drop = (me: string): void => forget(me, FORM);

/** Whether it holds words that would be lost. */
export const isUnsaved = ({ values, base }: Held): boolean => !isSame(values, base);
