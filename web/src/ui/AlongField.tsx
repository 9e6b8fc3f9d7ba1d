// The field for optional words in a confirmation. Loaded on demand.
import { keep, useKept } from "../lib/kept";
import { type Along, ALONG_LENGTH_MAX, readText } from "./along";
import { CountedText } from "./Fields";

export default function AlongField({ me, form, label }: Along) {
  const text = useKept(me, form, readText) ?? "";
  return <CountedText label={label} value={text} max={ALONG_LENGTH_MAX} onChange={(typed) => keep(me, form, typed)} />;
}
