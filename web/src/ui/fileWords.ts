// Why a file is not taken as a picture.
import { spoken } from "../lib/tongue";

export const fileWords = spoken({
  wrongFormat: "Invalid File Format",
  wrongFormatText: "Please choose a picture in JPEG, PNG or WebP.",
  tooLarge: "File Too Large",
  tooLargeText: "Please choose a picture of 5 MB at most.",
});
