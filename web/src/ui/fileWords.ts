// Why a file is not taken as a picture. The first two titles are the documents'.
import { namesOf } from "../lib/lists";
import { plural, spoken } from "../lib/tongue";

export const fileWords = spoken({
  wrongFormat: "Invalid File Format",
  tooLarge: "File Too Large",
  tooMany: "Too Many Pictures",
  tooLargeText: "Please choose a picture of 5 MB or less.",
  why: {
    kind: (files: readonly string[]) => `We can't use ${namesOf(files)}. Please choose a JPEG, PNG or WebP picture.`,
    empty: (files: readonly string[]) =>
      plural(files.length, () => ({
        one: `${namesOf(files)} is an empty file. Please choose another picture.`,
        other: `${namesOf(files)} are empty files. Please choose other pictures.`,
      })),
    unreadable: (files: readonly string[]) => `We couldn't read ${namesOf(files)}. Please choose another picture.`,
    size: (files: readonly string[]) =>
      plural(files.length, () => ({
        one: `${namesOf(files)} is larger than 5 MB even after we made it smaller. Please choose another picture.`,
        other: `${namesOf(files)} are larger than 5 MB even after we made them smaller. Please choose other pictures.`,
      })),
  },
  many: (max: number, files: readonly string[]) =>
    plural(max, (n) => ({ other: `You can add up to ${n} pictures. We didn't add ${namesOf(files)}.` })),
});
