// How countries are called in the language of our texts.
import { spoken } from "./tongue";

const names = new Intl.DisplayNames("en", { type: "region" });

/** "United States" for "US", of each. */
export const countryNames = <Code extends string>(codes: readonly Code[]): Record<Code, string> =>
  spoken(Object.fromEntries(codes.map((code) => [code, names.of(code) ?? code])) as Record<Code, string>);
