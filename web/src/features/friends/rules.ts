// What may be searched for.
import { isEmail, isPhone } from "../../lib/contact";
import { plainPhone } from "../../lib/digits";
import { words } from "./words";

/** As it is searched for: of a number the digits of ASCII. */
export const contactOf = (typed: string): string => (typed.includes("@") ? typed : plainPhone(typed)).trim();

/** The message for a contact that cannot be searched for; empty when it can. */
export function checkContact(typed: string): string {
  const contact = contactOf(typed);
  if (contact === "") return words.searchEmpty;
  return isEmail(contact) || isPhone(contact) ? "" : words.searchBad;
}
