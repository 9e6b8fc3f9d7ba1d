// Why a file is not taken as a picture.
import { spoken } from "../lib/tongue";

export const fileWords = spoken({
  wrongFormat: "Invalid File Format",
  wrongFormatText: "Please choose a JPEG, PNG or WebP picture.",
  tooLarge: "File Too Large",
  tooLargeText: "Please choose a picture of 5 MB or less.",
});
