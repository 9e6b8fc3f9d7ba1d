// What stands in the form of an item and is not saved yet: as one entry with the item that it stands for, as that was.
import { forget, keep, kept, useKept } from "../../lib/kept";
import { blank, isBlank, isSame, type ItemValues, readValues } from "./form";

/** What the form of a new item is kept as, and that of a change. */
export const NEW = "item";
export const formOf = (id: string): string => (id === "" ? NEW : `${NEW}-${id}`);

/** The last try, which went wrong. `isLost`: the server was not reached. */
export type Unsaved = { text: string; isLost: boolean };

/**
 * `base` is the item as it was read, null in the form of a new one. `listed`: it is listed at once. All `tries` to make the same item have one
 * `key`, so that one of them counts; `made` is the item once it is there. `pictures` is how many wait for a new item, which no page outlasts. `isSending`: a page that begins with it
 * was loaded anew before the answer came.
 */
export type Held = {
  values: ItemValues;
  base: ItemValues | null;
  listed: boolean;
  key: string;
  tries: readonly ItemValues[];
  made: string;
  pictures: number;
  isSending: boolean;
  failed: Unsaved | null;
};

export const NOTHING: Held = {
  values: blank(),
  base: null,
  // Members who fill in an item want it found.
  listed: true,
  key: "",
  tries: [],
  made: "",
  pictures: 0,
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
  const values = readValues(held.values);
  if (values === null) return null;
  return {
    values,
    base: readValues(held.base),
    listed: held.listed === true,
    key: String(held.key ?? ""),
    tries: Array.isArray(held.tries) ? held.tries.map(readValues).filter((one) => one !== null) : [],
    made: String(held.made ?? ""),
    pictures: Number(held.pictures) || 0,
    isSending: held.isSending === true,
    failed: readUnsaved(held.failed),
  };
}

export const heldOf = (me: string, id: string): Held => kept(me, formOf(id), readHeld) ?? NOTHING;
export const useHeld = (me: string, id: string): Held => useKept(me, formOf(id), readHeld) ?? NOTHING;
export const drop = (me: string, id: string): void => forget(me, formOf(id));

export function hold(me: string, id: string, part: Partial<Held>): void {
  keep(me, formOf(id), { ...heldOf(me, id), ...part });
}

/** Whether it holds words that would be lost. */
export const isUnsaved = ({ values, base }: Pick<Held, "values" | "base">): boolean =>
  base === null ? !isBlank(values) : !isSame(values, base);
