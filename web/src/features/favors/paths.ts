// Where things of the favors area are: tab, list and mode are in the address, so that reload and back keep them. How it is read: place.ts.
import type { Place } from "./place";

/** The first of each tab needs no name. */
const FIRST = /^(yours|completed|open)$/;

function searchOf({ tab = "active", view }: Partial<Place>, edit = false): string {
  const params = new URLSearchParams();
  if (tab !== "active") params.set("tab", tab);
  if (view !== undefined && !FIRST.test(view)) params.set("view", view);
  if (edit) params.set("edit", "1");
  const search = params.toString();
  return search === "" ? "" : `?${search}`;
}

export const listPath = (place: Partial<Place> = {}): string => `/favors${searchOf(place)}`;
export const favorPath = (id: string, place: Partial<Place> = {}, edit = false): string =>
  `/favors/${id}${searchOf(place, edit)}`;

/** Where one goes on who has posted a favor: to it where it stands beside the list, else to the list. */
export const postedPath = (id: string, split: boolean): string => (split ? favorPath(id) : listPath());
