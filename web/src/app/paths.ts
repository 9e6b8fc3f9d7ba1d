// The paths of the app, and what of the frame a path shows.
import { words } from "./words";

/** Where a provider sends the browser back to. */
export const CALLBACK = "/auth/callback";

const ROUTES = new RegExp(
  `^/(${[
    "friends(/(requests|find|mine|groups))?",
    "favors(/[^/]+)?",
    "share(/items/[^/]+(/(borrow|edit|manage))?|/rentals/[^/]+)?",
    "inbox",
    "settings(/(security|data|notifications|blocked))?",
    "profile",
  ].join("|")})?$`,
);

/** Pages outside the frame of a member: where links in mails lead, and what can be read before signing up. */
export const isOutside = (path: string): boolean => /^\/(join|no-invitations|unsubscribe|terms|privacy)$/.test(path);

export const isRoute = (path: string): boolean => ROUTES.test(path);

export const isCreate = (path: string, search: string): boolean =>
  /^\/(favors|share)$/.test(path) && new URLSearchParams(search).get("tab") === "create";

/** A sub-screen has a way back instead of the tabs at the bottom; a path without a page is none. */
export const isSubScreen = (path: string, search: string): boolean =>
  (isRoute(path) && /^\/(settings|profile|(favors|share)\/.)/.test(path)) || isCreate(path, search);

/**
 * The screen that a path belongs to: moving inside one keeps focus and scroll. `split`: list and favor side by side. `desktop`: a new favor or
 * item is a tab and no screen.
 */
export function screenOf(
  path: string,
  search: string,
  { split, desktop }: Record<"split" | "desktop", boolean>,
): string {
  if (path.startsWith("/friends")) return "/friends";
  if (!desktop && isCreate(path, search)) return `${path}?tab=create`;
  return split && path.startsWith("/favors") ? "/favors" : path;
}

/** The heading of the screen of a path, which stands there before the screen. */
export function titleOf(path: string, isNew = false): string {
  if (isNew) return path === "/share" ? words.newItem : words.newFavor;
  const [, area = "", kind, , deed] = path.split("/");
  if (area === "friends") return words.friends;
  if (area === "inbox") return words.notifications;
  // A path has no other words than these.
  return kind !== undefined && area === "favors" ? words.favor : words[(deed ?? kind ?? area) as "share"];
}
