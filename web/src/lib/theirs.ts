// What members have written, made fit to stand among texts of ours: it says the same, and changes nothing around it.

/** Letters that are read from right to left, and the marks that say so. */
const FROM_RIGHT = /[\u0590-\u08ff\u200f\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
/** No script needs more marks than these on one letter; a hundred of them reach into the lines around. */
const MARKS = /(\p{M}{4})\p{M}+/gu;
const EMPTY_LINES = /\n(?:\s*\n){2,}/g;

export const calm = (text: string): string => text.replaceAll(MARKS, "$1").replaceAll(EMPTY_LINES, "\n\n");

/** For what is put into a sentence: it is read in its own direction, as in <bdi>, and the sentence goes on in ours. */
export const isolated = (text: string): string => (FROM_RIGHT.test(text) ? `\u2068${calm(text)}\u2069` : calm(text));

const signs = new Intl.Segmenter();

/** The first letter or picture, with all that it is made of: a flag is two characters, a family five. Empty when there is none. */
export function firstSign(text: string): string {
  for (const { segment } of signs.segment(calm(text)))
    if (/[\p{L}\p{N}\p{S}\p{Regional_Indicator}]/u.test(segment)) return segment;
  return "";
}
