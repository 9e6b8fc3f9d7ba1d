// The present, for what is drawn before anything else has come.
import { useEffect, useState } from "react";

const MINUTE_MS = 60_000;

/** The present, told anew every minute, so that relative times stay true on a screen that is left open. */
export function useNow(): Date {
  const [now, setNow] = useState(() => new Date());
  useEffect(() => {
    const timer = setInterval(() => setNow(new Date()), MINUTE_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
