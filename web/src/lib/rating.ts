// How a rating is said: of five, with one place.
import { LOCALE, spoken } from "./tongue";

const onePlace = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** "4.9" */
export const ratingOf = spoken((rating: number): string => onePlace.format(rating));
