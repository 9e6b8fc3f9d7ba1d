// The present, by the server's clock. The clock of a device may be wrong.
import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/** How far the server is ahead of the device's clock, and of the page's, which nobody can set. */
let aheadOfDevice_ms = 0;
let aheadOfPage_ms: number | undefined;

/** `date` is the header of an answer that has just come. */
export function hear(date: string | null): void {
  const server_ms = Date.parse(date ?? "");
  if (Number.isNaN(server_ms)) return;
  aheadOfDevice_ms = server_ms - Date.now();
  aheadOfPage_ms = server_ms - performance.now();
}

export const isHeard = (): boolean => aheadOfPage_ms !== undefined;

/**
 * The server's time, for signing. It stays right when the device's clock is set. In some browsers it
 * stops while the device sleeps, until the next answer.
 */
export const serverTime = (): Date =>
  new Date(aheadOfPage_ms === undefined ? Date.now() : performance.now() + aheadOfPage_ms);

/**
 * The same for screens and expiries. It stays right while the device sleeps. The next answer corrects it
 * when the device's clock was set.
 */
export const present = (): Date => new Date(Date.now() + aheadOfDevice_ms);

/** The present, told anew every minute, so that relative times stay true on a screen that is left open. */
export function useNow(): Date {
  const [now, setNow] = useState(present);
  useEffect(() => {
    const timer = setInterval(() => setNow(present()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
