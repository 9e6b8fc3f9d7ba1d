// Where things of the favors area are: tab, list and mode are in the address, so that reload and back keep them.
import { useSearchParams } from "wouter";

export const TABS = ["active", "completed", "browse", "create"] as const;
export type Tab = (typeof TABS)[number];
export const VIEWS = {
  active: ["yours", "asked", "helping"],
  completed: ["completed", "helped", "cancelled"],
  browse: ["open", "applied"],
  create: ["yours"],
} as const;
export type View = (typeof VIEWS)[Tab][number];
export type Place = { tab: Tab; view: View };

function readPlace(params: URLSearchParams): Place {
  const tab = TABS.find((t) => t === params.get("tab")) ?? "active";
  const views: readonly View[] = VIEWS[tab];
  return { tab, view: views.find((v) => v === params.get("view")) ?? VIEWS[tab][0] };
}

function searchOf({ tab, view }: Partial<Place>, edit = false): string {
  const params = new URLSearchParams();
  if (tab !== undefined && tab !== "active") params.set("tab", tab);
  // The first of a tab needs no name.
  if (view !== undefined && view !== VIEWS[tab ?? "active"][0]) params.set("view", view);
  if (edit) params.set("edit", "1");
  const search = params.toString();
  return search === "" ? "" : `?${search}`;
}

export const listPath = (place: Partial<Place> = {}): string => `/favors${searchOf(place)}`;
export const favorPath = (id: string, place: Partial<Place> = {}, edit = false): string =>
  `/favors/${id}${searchOf(place, edit)}`;

/** Where one goes on who has posted a favor: to it where it stands beside the list, else to the list. */
export const postedPath = (id: string, split: boolean): string => (split ? favorPath(id) : listPath());

export function usePlace(): Place & { editing: boolean } {
  const [params] = useSearchParams();
  return { ...readPlace(params), editing: params.get("edit") === "1" };
}
