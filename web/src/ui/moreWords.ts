// The texts of what is behind a button for more.
import { spoken } from "../lib/tongue";

export const moreWords = spoken({ more: "More" });
