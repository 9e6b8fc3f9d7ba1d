// Digits of any script, as people type and paste them. Other characters stay, for a check to refuse.

/** The digits of a script stand in a row, from 0 to 9. */
function asciiOf(digit: string): string {
  const point = digit.codePointAt(0) ?? 0;
  let zero = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((point - zero) % 10);
}

/** The text with ASCII digits and plain spaces, without the invisible marks of a copied text. */
export const plainDigits = (text: string): string =>
  text
    .replaceAll(/\p{DI}/gu, "")
    .replaceAll(/\s/g, " ")
    .replaceAll(/\p{Nd}/gu, asciiOf);

// Of Arabic: decimal and thousands separator, and the comma. Of wide letters: comma and full stop.
const POINT = /[,\u066b\u060c\uff0c\uff0e]/;
const THOUSANDS = /^\d{1,3}([ \u066c]\d{3})+(?!\d)/;

/** An amount as `Number` reads it. The first comma is a decimal point; spaces may part thousands. */
export const plainAmount = (typed: string): string =>
  plainDigits(typed)
    .trim()
    .replace(POINT, ".")
    .replace(THOUSANDS, (whole) => whole.replaceAll(/[ \u066c]/g, ""));

/** A phone number with the signs of ASCII between its digits, and not as a link has it. */
export const plainPhone = (text: string): string =>
  plainDigits(text)
    .replaceAll(/[\p{Pd}\u2212\u30fc]/gu, "-")
    .replaceAll("\u00b7", ".")
    .replaceAll(/[\uff08\uff09\uff0b\uff0e\uff0f]/g, (wide) => wide.normalize("NFKC"))
    .replace(/^ *tel: *(?=[+(\d])/i, "");

const BETWEEN = "[ .\\p{Pd}\\u2212]";
const ONLY_DIGITS = new RegExp(`^(${BETWEEN}|\\d)*$`, "u");
const GROUPS = new RegExp(`\\d+(${BETWEEN}\\d+)*`, "gu");
const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");

/** Digits that stand together, or in two halves, are more likely a code than a date. */
function runsOf(group: string, length: number): string[] {
  const parts = group.split(/\D/);
  const isHalves = parts.length === 2 && parts.every((part) => part.length === length / 2);
  return isHalves ? [digitsOf(group)] : parts.filter((part) => part.length === length);
}

const theOnly = (codes: readonly string[]): string => {
  const [code = "", ...others] = new Set(codes);
  return others.length === 0 ? code : "";
};

/**
 * The digits of a code, or of its beginning. Of a sentence, the only code in it. Empty if there is none,
 * or more than one.
 */
export function codeFrom(typed: string, length: number): string {
  const text = plainDigits(typed);
  const digits = digitsOf(text);
  if (ONLY_DIGITS.test(text) && digits.length <= length) return digits;
  const groups = text.match(GROUPS) ?? [];
  const codes = groups.flatMap((group) => runsOf(group, length));
  return theOnly(codes.length > 0 ? codes : groups.map(digitsOf).filter((code) => code.length === length));
}
