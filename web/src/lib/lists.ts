// Things and people one after another, as they stand in a sentence.
import { spoken } from "./tongue";
import { words } from "./words";

// English of no region: American lists have a comma before their "and", and our texts have none.
const lists = new Intl.ListFormat("en-001");

/** "title", "title and tip", "title, start and tip"; empty for nothing. */
export const listOf = spoken((things: readonly string[]) => lists.format(things));

/** "Ben", "Ben and Marcus", "Ben, Marcus and 3 others"; empty for nobody. */
export const namesOf = (names: readonly string[]): string =>
  listOf(names.length > 3 ? [...names.slice(0, 2), words.others(names.length - 2)] : names);
