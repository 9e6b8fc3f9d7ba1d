// What was done with a form just now. Who loads the page anew before it can have been seen is told once more.
import { forget, keep, kept } from "../../lib/kept";
import { type Deed, readDeed } from "./version";

const FORM = "done";
const SEEN_MS = 5000;

type Did = { deed: Deed; id: string; isPublic: boolean };
/** `page` is the one in which it was done. */
type Done = Did & { page: number };

function readDone(value: unknown): Done | null {
  if (typeof value !== "object" || value === null) return null;
  const { deed, id, isPublic, page } = value as Partial<Record<keyof Done, unknown>>;
  const known = readDeed(deed);
  return known === null ? null : { deed: known, id: String(id), isPublic: isPublic === true, page: Number(page) };
}

export function noteDone(me: string, did: Did): void {
  const done: Done = { ...did, page: performance.timeOrigin };
  keep(me, FORM, done);
  setTimeout(() => kept(me, FORM, readDone)?.id === did.id && forget(me, FORM), SEEN_MS);
}

const isReloaded = (): boolean =>
  performance.getEntriesByType("navigation").some((entry) => (entry as PerformanceNavigationTiming).type === "reload");

/** What was done before the page was loaded anew, once. Who came by an address knows where to go. */
export function takeDone(me: string): Done | null {
  const done = kept(me, FORM, readDone);
  if (done === null || done.page === performance.timeOrigin) return null;
  forget(me, FORM);
  return isReloaded() ? done : null;
}
