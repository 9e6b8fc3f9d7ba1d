// What may be searched for.
import { isEmail, isPhone } from "../../lib/contact";
import { words } from "./words";

/** The message for a contact that cannot be searched for; empty when it can. */
export function checkContact(typed: string): string {
  const contact = typed.trim();
  if (contact === "") return words.searchEmpty;
  return isEmail(contact) || isPhone(contact) ? "" : words.searchBad;
}
