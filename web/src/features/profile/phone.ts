// Phone numbers as people type and read them, and as the server keeps them. How each country writes its numbers is a table that changes every
// month: libphonenumber-js has it, of the exact release that was tried, in its smallest form. It is loaded with the screens that show a number.
import { AsYouType, type CountryCode, getCountries, getCountryCallingCode } from "libphonenumber-js/min";
import { parsePhoneNumberFromString as parsed } from "libphonenumber-js/min";
import { countryNames } from "../../lib/countries";
import { plainPhone } from "../../lib/digits";

/** `country` is ISO 3166-1; `phone` is empty for none. */
export type Typed = { country: string; phone: string };

const NAMES = countryNames(getCountries());

export const countryName = (country: CountryCode): string => NAMES[country];

/** In the order of their names. */
export const COUNTRIES: readonly CountryCode[] = getCountries().toSorted((a, b) => NAMES[a].localeCompare(NAMES[b]));
const DEFAULT: CountryCode = "US";
/** Those of a calling code that several countries share, whose number does not say which of them it is. */
const FIRST: readonly CountryCode[] = ["US", "GB", "RU", "IT", "AU", "NO", "FI", "MA"];
const NANP = "1";
const NANP_DIGITS = 10;
const DIGITS_MIN = 7;
const DIGITS_MAX = 15;

export const knownCountry = (country: string): CountryCode => COUNTRIES.find((c) => c === country) ?? DEFAULT;

/** "1", of "US". */
export const callingCodeOf = (country: string): string => getCountryCallingCode(knownCountry(country));

const digitsOf = (text: string): string => text.replaceAll(/\D/g, "");
const mostDigits = (country: string): number => (callingCodeOf(country) === NANP ? NANP_DIGITS : DIGITS_MAX);

/** Whether it has digits, and nothing else than what stands between them. */
const isReadable = (phone: string): boolean => /^[ +()./-]*\d[\d ()./-]*$/.test(phone);

/** The one that has this calling code: the present one if it does. */
function countryWith(callingCode: string, present: string): CountryCode | undefined {
  const has = (country: string): boolean => callingCodeOf(country) === callingCode;
  return [knownCountry(present), ...FIRST, ...COUNTRIES].find(has);
}

/** A number in international form, as one is pasted: once its country is known it stands in the choice beside the number. */
function international({ country }: Typed, text: string): Typed {
  const reader = new AsYouType();
  const shown = reader.input(text);
  const callingCode = reader.getCallingCode();
  if (callingCode === undefined) return { country, phone: shown };
  const found = reader.getCountry() ?? countryWith(callingCode, country) ?? country;
  return { country: found, phone: formatted(found, reader.getNumber()?.nationalNumber ?? "") };
}

const formatted = (country: string, digits: string): string => new AsYouType(knownCountry(country)).input(digits);

/** Whether one digit was typed, and nothing pasted. */
const isOneMore = (before: string, digits: string): boolean =>
  [...digits].some((_, i) => digits.slice(0, i) + digits.slice(i + 1) === before);

/**
 * What stands there after `text` was typed in place of `before`. It is put in form while it grows at
 * its end, and nothing moves meanwhile. Letters stay, and `isNumber` refuses them.
 */
export function typed(before: Typed, text: string, atEnd: boolean): Typed {
  const { country } = before;
  const kept = plainPhone(text);
  if (kept !== "" && !isReadable(kept)) return { country, phone: kept };
  const digits = digitsOf(kept);
  if (kept.includes("+")) return international(before, `+${digits}`);
  const isNext = isOneMore(digitsOf(before.phone), digits);
  // With the calling code in front, as it is found in an address book.
  const isWhole = callingCodeOf(country) === NANP && digits.length === NANP_DIGITS + 1 && digits.startsWith(NANP);
  if (isWhole && !isNext) return { country, phone: formatted(country, digits.slice(1)) };
  // A digit typed beyond a whole number is not taken. A pasted number that is too long stays.
  if (digits.length > mostDigits(country)) return isNext ? before : { country, phone: kept };
  const grows = digits.length > digitsOf(before.phone).length;
  return { country, phone: grows && atEnd ? formatted(country, digits) : kept };
}

/** As the server keeps it, "+15551234567"; empty for none. A text that is no number stays as it is. */
export function e164Of({ country, phone }: Typed): string {
  if (!isReadable(phone)) return phone.trim();
  const code = knownCountry(country);
  return parsed(phone, code)?.number ?? `+${callingCodeOf(code)}${digitsOf(phone)}`;
}

/** Exactly 10 digits with +1, else 7 to 15. */
export function isNumber(number: Typed): boolean {
  const { country, phone } = number;
  if (phone.includes("+") || !isReadable(phone)) return false;
  const { length } = digitsOf(phone);
  const whole = digitsOf(e164Of(number));
  if (callingCodeOf(country) === NANP) return length === NANP_DIGITS && whole.length === NANP_DIGITS + 1;
  return length >= DIGITS_MIN && length <= DIGITS_MAX && whole.length <= DIGITS_MAX;
}

/** A number that is kept, as its country writes it. */
export function read(e164: string, country: string): Typed {
  const number = e164 === "" ? undefined : parsed(e164);
  if (number === undefined) return { country: knownCountry(country), phone: e164 };
  const at = countryWith(number.countryCallingCode, number.country ?? country) ?? DEFAULT;
  const isPresent = callingCodeOf(country) === number.countryCallingCode;
  return { country: isPresent ? knownCountry(country) : at, phone: number.formatNational() };
}

/** What was typed, as its country writes it. */
export const tidy = (number: Typed): Typed =>
  isNumber(number) ? { ...number, phone: read(e164Of(number), number.country).phone } : number;
