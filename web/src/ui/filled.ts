// Sentences with something in them that is drawn otherwise, as the name of somebody: where it stands in the sentence is the sentence's.
import { createElement, Fragment, type ReactNode } from "react";

/** A character that is in no text; those that follow are the second part, and so on. */
const FIRST = 0xe000;

/** `sentence` of words.ts with `parts` put in. */
export function filled(sentence: (...parts: string[]) => string, ...parts: readonly ReactNode[]): ReactNode {
  const places = parts.map((_, i) => String.fromCharCode(FIRST + i));
  const pieces = sentence(...places).split(/([\uE000-\uE00F])/);
  const children = pieces.map((piece) => (places.includes(piece) ? parts[places.indexOf(piece)] : piece));
  return createElement(Fragment, null, ...children);
}
