// Says why chosen files are not taken as pictures, each reason with the files that it is about.
import type { RefusedFile } from "../lib/pictureFile";
import { Failed } from "./Failed";
import { fileWords } from "./fileWords";

const TITLES: Record<RefusedFile["why"], string> = {
  kind: fileWords.wrongFormat,
  empty: fileWords.wrongFormat,
  unreadable: fileWords.wrongFormat,
  size: fileWords.tooLarge,
  many: fileWords.tooMany,
};

/** There may be `max` pictures. */
type Props = { refused: readonly RefusedFile[]; max: number };

export function RefusedPictures({ refused, max }: Props) {
  const reasons = [...new Set(refused.map(({ why }) => why))];
  const namesOf = (reason: RefusedFile["why"]): string[] =>
    refused.filter(({ why }) => why === reason).map(({ name }) => name);
  return reasons.map((why) => (
    <Failed
      key={why}
      title={TITLES[why]}
      text={why === "many" ? fileWords.many(max, namesOf(why)) : fileWords.why[why](namesOf(why))}
    />
  ));
}
