// The picture that was chosen in Edit Profile and not saved yet: a data URL, or empty where the saved one is to be removed, as documented. It is
// kept as words are, over a reload, and goes with the sign-out.
import { forget, keep, kept, useKept } from "../../lib/kept";
import { isSquare } from "./picture";

const FORM = "profile_picture";

const read = (value: unknown): string | null =>
  typeof value === "string" && (value === "" || isSquare(value)) ? value : null;

/** Null where the saved one stays. */
export const pictureOf = (me: string): string | null => kept(me, FORM, read);
export const usePicture = (me: string): string | null => useKept(me, FORM, read);
export const keepPicture = (me: string, picture: string): void => keep(me, FORM, picture);
export const dropPicture = (me: string): void => forget(me, FORM);
