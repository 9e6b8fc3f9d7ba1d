// The pages that links in mails lead to, as the server writes them: the token stands behind the `#`, which no browser sends.
import { useSyncExternalStore } from "react";

export const PAGES = ["/join", "/no-invitations"] as const;
export type LinkPage = (typeof PAGES)[number];

export const pageOf = (path: string): LinkPage | undefined => PAGES.find((page) => page === path);

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

const tokenNow = (): string => window.location.hash.slice(1);

/** The token of the link that the page was opened by; another link may be opened in the same tab. */
export const useToken = (): string => useSyncExternalStore(subscribe, tokenNow);
