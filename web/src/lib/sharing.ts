// Where things of Share Stuff are: the tab of the hub, the item and the rental are in the address, so that reload and back keep them.

export const SHARE_TABS = ["browse", "create", "mine", "requests", "active"] as const;
export type ShareTab = (typeof SHARE_TABS)[number];

/** The first tab needs no name. */
export const sharePath = (tab: ShareTab = "browse"): string => (tab === "browse" ? "/share" : `/share?tab=${tab}`);

export const itemPath = (id: string): string => `/share/items/${id}`;
export const editItemPath = (id: string): string => `${itemPath(id)}/edit`;
export const manageItemPath = (id: string): string => `${itemPath(id)}/manage`;
export const rentalPath = (id: string): string => `/share/rentals/${id}`;

/** The days that were chosen on the item's own screen go along, as `YYYY-MM-DD`. */
export function borrowPath(id: string, start = "", end = ""): string {
  const days = start === "" || end === "" ? "" : `?${new URLSearchParams({ start, end }).toString()}`;
  return `${itemPath(id)}/borrow${days}`;
}
