// Where the lists of rentals are: which side is looked at is in the address, so that reload and back keep it.
import { sharePath } from "../../lib/sharing";

export const REQUEST_SIDES = ["received", "sent"] as const;
export type RequestSide = (typeof REQUEST_SIDES)[number];
export const RENTAL_VIEWS = ["renting", "lending"] as const;
export type RentalView = (typeof RENTAL_VIEWS)[number];

/** The first of each needs no name. */
const shown = (path: string, view: string, first: string): string => (view === first ? path : `${path}&view=${view}`);

export const requestsPath = (side: RequestSide = "received"): string =>
  shown(sharePath("requests"), side, REQUEST_SIDES[0]);
export const activePath = (view: RentalView = "renting"): string => shown(sharePath("active"), view, RENTAL_VIEWS[0]);
