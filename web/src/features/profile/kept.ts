// What was typed into Edit Profile and not saved yet, as one entry with the profile that it was typed over; a picture that was chosen stands
// beside it.
import { forget, keep, kept, useKept } from "../../lib/kept";
import { type Field, FIELDS, type ProfileValues } from "./fields";
import { dropPicture } from "./pending";

const FORM = "profile";

/** The last try, which went wrong. `isLost`: the server was not reached. `title` where it was the picture, and the rest is saved. */
export type Unsaved = { title?: string; text: string; isLost: boolean };
/**
 * `both`: what was typed and has become something else elsewhere meanwhile. `isSending`: a page that begins with it was loaded anew before the answer
 * came.
 */
export type Held = {
  values: ProfileValues;
  base: ProfileValues;
  both: readonly Field[];
  isSending: boolean;
  failed: Unsaved | null;
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

function readValues(value: unknown): ProfileValues | null {
  if (!isObject(value) || !FIELDS.every((name) => typeof value[name] === "string")) return null;
  return Object.fromEntries(FIELDS.map((name) => [name, value[name]])) as ProfileValues;
}

/** Nothing, when it has not the shape of this form any more. */
function readHeld(value: unknown): Held | null {
  if (!isObject(value)) return null;
  const [values, base] = [readValues(value["values"]), readValues(value["base"])];
  if (values === null || base === null) return null;
  const both = value["both"];
  return {
    values,
    base,
    both: FIELDS.filter((name) => Array.isArray(both) && both.includes(name)),
    isSending: value["isSending"] === true,
    failed: readFailed(value["failed"]),
  };
}

function readFailed(value: unknown): Unsaved | null {
  if (!isObject(value)) return null;
  const title = typeof value["title"] === "string" ? { title: value["title"] } : {};
  return { ...title, text: String(value["text"]), isLost: value["isLost"] === true };
}

export const heldOf = (me: string): Held | null => kept(me, FORM, readHeld);
export const useHeld = (me: string): Held | null => useKept(me, FORM, readHeld);
export const hold = (me: string, held: Held): void => keep(me, FORM, held);
/** Nothing was typed before: then nothing was overtaken either. */
export const overtaken = (held: Held | null): readonly Field[] => (held === null ? [] : held.both);
/** All but the picture. */
export const dropWords = (me: string): void => forget(me, FORM);

export function drop(me: string): void {
  dropPicture(me);
  dropWords(me);
}
