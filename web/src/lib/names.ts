// First names of people, as they stand in sentences. A member who left, or hides, has none.
import { words } from "./words";

/** The name that the server gives such a member. */
const FORMER = "Former member";

export const isFormer = (name: string): boolean => name === FORMER;

const firstOf = (name: string): string => name.split(" ")[0] || name;

/** A first name that begins a sentence. */
export const firstName = (name: string): string => (isFormer(name) ? words.formerMember : firstOf(name));

/** A first name within a sentence. */
export const firstNameWithin = (name: string): string => (isFormer(name) ? words.formerMemberWithin : firstOf(name));
