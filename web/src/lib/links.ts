// The links of mails: the pages that they lead to, as the server writes them, and what one is about.
import { useQuery } from "@tanstack/react-query";
import { useSyncExternalStore } from "react";
import { hasReason } from "./errors";

export const PAGES = ["/join", "/no-invitations", "/unsubscribe"] as const;
export type LinkPage = (typeof PAGES)[number];

export const pageOf = (path: string): LinkPage | undefined => PAGES.find((page) => page === path);

function subscribe(listener: () => void): () => void {
  window.addEventListener("hashchange", listener);
  return () => window.removeEventListener("hashchange", listener);
}

const tokenNow = (): string => window.location.hash.slice(1);

/** The token of the link that the page was opened by, which stands behind the `#`; another link may be opened in the same tab. */
export const useToken = (): string => useSyncExternalStore(subscribe, tokenNow);

/** It is none of ours, or has expired: it will not get better. */
export const isOver = (error: unknown): boolean => hasReason(error, "INVALID_ARGUMENT", "EXPIRED_LINK");

/** What a link is about; `null` for one that is over. */
export function useLink<T>(page: LinkPage, token: string, ask: (token: string) => Promise<T>) {
  return useQuery({
    queryKey: [page, token],
    queryFn: async () => {
      if (token === "") return null;
      try {
        return await ask(token);
      } catch (error) {
        if (isOver(error)) return null;
        throw error;
      }
    },
    refetchOnWindowFocus: false,
  });
}
