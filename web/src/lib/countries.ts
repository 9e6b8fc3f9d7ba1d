// How countries are called in the language of our texts.
import { spoken } from "./tongue";

const names = new Intl.DisplayNames("en", { type: "region" });

/** "United States", of "US". */
export const countryName = spoken((code: string) => names.of(code) ?? code);
