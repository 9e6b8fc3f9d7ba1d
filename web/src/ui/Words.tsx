// Words of members: names, titles, messages. They break where they must, are read in their own direction, and stay in their lines.
import { createElement, type ReactNode } from "react";
import { calm } from "../lib/theirs";

const ADDRESS = /\S@\S/;
/** Where an address is broken, if it must be: behind its signs. */
const BREAKS = /(?<=[@.])(?=[^\s@.])/;

function pieces(text: string): ReactNode[] {
  if (!ADDRESS.test(text)) return [text];
  return text.split(BREAKS).flatMap((part, i) => (i === 0 ? [part] : [createElement("wbr"), part]));
}

/** `ours`: a sentence of the server's that has such words in it, and is read from left to right whatever they are. */
export function Words({ children, ours = false }: { children: string; ours?: boolean }) {
  return createElement("bdi", { className: "words", dir: ours ? "ltr" : undefined }, ...pieces(calm(children)));
}
