// Words of members: names, titles, messages. They break where they must, are read in their own direction, and stay in their lines.
import { calm } from "../lib/theirs";

/** `ours`: a sentence of the server's that has such words in it, and is read from left to right whatever they are. */
export function Words({ children, ours = false }: { children: string; ours?: boolean }) {
  return (
    <bdi className="words" dir={ours ? "ltr" : undefined}>
      {calm(children)}
    </bdi>
  );
}
