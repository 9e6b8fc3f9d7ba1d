// Searching among friends that are there already.

type Named = { displayName: string; email: string; firstName: string; lastName: string };

/** Whether a text holds what is searched for, whatever the case. */
export const holds = (text: string, search: string): boolean =>
  text.toLowerCase().includes(search.trim().toLowerCase());

/** Matches any of a friend's names and the address. */
export const matches = ({ displayName, email, firstName, lastName }: Named, search: string): boolean =>
  [displayName, email, firstName, lastName].some((text) => holds(text, search));
