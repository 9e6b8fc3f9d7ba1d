// The pseudo-language: our texts accented, about 40 % longer, and in brackets, so that what is cut, put together from pieces or missing in
// words.ts shows.

/** Stands in for `spoken` of lib/tongue.ts. All of it is in this one function, since tests hand it to a browser. */
export function pseudo<T>(words: T): T {
  const PLAIN = "aceinouyACDEINOUY";
  const ACCENTED = "åçéîñöüýÅÇÐÉÎÑÖÜÝ";
  /** Around what is put into a text: names and numbers stay as they are. */
  const [FROM, TO] = ["\uE100", "\uE101"];
  const PUT_IN = /(\uE100[^\uE101]*\uE101)/;

  /** Each vowel twice: longer inside its words, as other languages are. */
  const strange = (text: string): string =>
    text.replaceAll(/[a-z]/gi, (letter) => {
      const accented = ACCENTED[PLAIN.indexOf(letter)] ?? letter;
      return /[aeiou]/i.test(letter) ? accented + accented.toLowerCase() : accented;
    });

  function said(text: string): string {
    // Nothing, or a text that is used in another one.
    if (text === "" || /^\[.*\]$/s.test(text)) return text;
    const parts = text.split(PUT_IN).map((part) => (part.startsWith(FROM) ? part.slice(1, -1) : strange(part)));
    return `[${parts.join("")}]`;
  }

  function kept(put: unknown): unknown {
    if (Array.isArray(put)) return put.map(kept);
    return typeof put === "string" && put !== "" ? FROM + put + TO : put;
  }

  function changed(value: unknown): unknown {
    if (typeof value === "string") return said(value);
    if (typeof value === "function") {
      const give = value as (...put: unknown[]) => unknown;
      return (...put: unknown[]) => changed(give(...put.map(kept)));
    }
    if (Array.isArray(value)) return value.map(changed);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, text]) => [name, changed(text)]));
  }

  return changed(words) as T;
}
