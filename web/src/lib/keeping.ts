// Whether what is under way may still be kept: a member who has left leaves nothing behind; one whose session ended elsewhere, what was there.
import { session } from "./current";
import { kept } from "./kept";

export const mayKeep = (uid: string, form: string): boolean =>
  session.get().kind !== "signedOut" || kept(uid, form, Boolean) === true;
