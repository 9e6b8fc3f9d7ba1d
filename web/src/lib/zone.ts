// The zone of the browser.

/** An IANA name; empty where the browser has none, or does not tell it. */
export function zoneHere(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions() as { timeZone?: string };
  return timeZone === undefined || timeZone === "Etc/Unknown" ? "" : timeZone;
}
