// Addresses of pictures end after an hour or two, of faces and of items. What shows one that has ended is asked anew, once; meanwhile what
// stands under it is seen.
import type { QueryClient } from "@tanstack/react-query";
import { session } from "../lib/current";
import { freshen } from "../lib/freshen";
import { isLost, onFound } from "../lib/reach";
import { renewTokens } from "../lib/renew";

/** A picture that does not come by its new address either is not asked for again so long. */
const AGAIN_MS = 5 * 60_000;

const broken = (): HTMLImageElement[] => [
  ...document.querySelectorAll<HTMLImageElement>(':is(.face, .shot) [data-came="error"]'),
];

/** Whether an answer holds this address. */
function holds(value: unknown, url: string): boolean {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value === url;
  return Object.values(value).some((inner) => holds(inner, url));
}

/** @returns what ends it. */
export function watchFaces(cache: QueryClient): () => void {
  const stop = new AbortController();
  const asked = new Map<string, number>();

  /** Whether it has not been asked just now. */
  function isDue(what: string): boolean {
    const now = Date.now();
    if (now - (asked.get(what) ?? 0) < AGAIN_MS) return false;
    asked.set(what, now);
    return true;
  }

  function mend(url: string): void {
    // It may be as good as before: it is looked at again when there is a connection.
    if (url === "" || isLost()) return;
    const stale = new Set(
      cache
        .getQueryCache()
        .findAll({ predicate: ({ state, queryHash }) => holds(state.data, url) && isDue(queryHash) })
        .map(({ queryHash }) => queryHash),
    );
    if (stale.size > 0) freshen(cache, ({ queryHash }) => stale.has(queryHash));
    // One's own picture, as the frame shows it, is in the tokens.
    const state = session.get();
    if (state.kind === "signedIn" && state.member.profilePictureUrl === url && isDue("own")) void renewTokens();
  }

  const mendAt = (image: HTMLImageElement): void => mend(image.getAttribute("src") ?? "");

  // Such an event does not bubble.
  const look = ({ target }: Event): void => {
    if (target instanceof HTMLImageElement && target.closest(".face, .shot") !== null) mendAt(target);
  };
  document.addEventListener("error", look, { capture: true, signal: stop.signal });
  broken().forEach(mendAt);
  const stopFinding = onFound(() => {
    // The same address once more; one that has ended fails again, and is asked anew then.
    for (const image of broken()) image.src = image.getAttribute("src") ?? "";
  });

  return () => {
    stop.abort();
    stopFinding();
  };
}
