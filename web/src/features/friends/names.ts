// What members are called.
import { words } from "./words";

export type Called = { displayName: string; firstName: string; lastName: string };

export const nameOf = (person: Called | undefined): string =>
  person?.displayName || [person?.firstName, person?.lastName].filter(Boolean).join(" ") || words.unknownUser;
