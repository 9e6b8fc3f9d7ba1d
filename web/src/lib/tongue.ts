// The language of our texts, and how numbers and times are written in it where the member lives.
import { isolated } from "./theirs";

/** What the texts in words.ts are written in. */
const LANGUAGE = "en";

function regionOf(locale: string): string {
  try {
    return new Intl.Locale(locale).maximize().region ?? "US";
  } catch {
    // Some browsers tell one that is none, as "en-US@posix".
    return "US";
  }
}

/** For what is formatted: the words of our texts, in the order and with the signs of the member's region. */
export const LOCALE = `${LANGUAGE}-${regionOf(navigator.language)}`;

type Spoken = <T>(words: T) => T;
const { goodturnSpoken } = globalThis as { goodturnSpoken?: Spoken };

/**
 * Around all texts of an area, and around what formats some: strings, and functions that give strings. They are as they stand there; tests put
 * another function in its place before the app begins, so that texts which do not come from here show (testing/pseudo.ts).
 */
export const spoken: Spoken = (words) => (goodturnSpoken ?? same)(changed(words) as typeof words);

const same: Spoken = (words) => words;
const kept = (put: unknown): unknown =>
  Array.isArray(put) ? put.map(kept) : typeof put === "string" ? isolated(put) : put;

/** What is put into a text, as the name of a member, changes nothing around it. */
function changed(value: unknown): unknown {
  if (typeof value === "function") {
    const give = value as (...put: unknown[]) => unknown;
    return (...put: unknown[]) => give(...put.map(kept));
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, changed(text)]));
}

const numbers = new Intl.NumberFormat(LOCALE);
const plurals = new Intl.PluralRules(LANGUAGE);

type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** The text for a number of things; `forms` are told the number as it is written. */
export function plural(count: number, forms: (count: string) => Forms): string {
  const known = forms(numbers.format(count));
  return known[plurals.select(count)] ?? known.other;
}
