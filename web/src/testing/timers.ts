// A page that is gone has no timers any more: what Node keeps of them would find no window.
const begun = new Set<ReturnType<typeof setTimeout>>();
const begin = globalThis.setTimeout;

globalThis.setTimeout = Object.assign((...args: Parameters<typeof begin>) => {
  const timer = begin(...args);
  begun.add(timer);
  return timer;
}, begin);

export function endTimers(): void {
  for (const timer of begun) clearTimeout(timer);
}
