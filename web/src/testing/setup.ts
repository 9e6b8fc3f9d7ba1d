// What jsdom lacks and the app expects of a browser.
import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, vi } from "vitest";
import { forgetAll } from "../lib/kept";
import { unsay } from "../ui/said";

// A busy machine is no failure.
configure({ asyncUtilTimeout: 10_000 });

vi.stubGlobal("matchMedia", (query: string) => ({
  matches: false,
  media: query,
  addEventListener: () => undefined,
  removeEventListener: () => undefined,
  addListener: () => undefined,
  removeListener: () => undefined,
  dispatchEvent: () => false,
  onchange: null,
}));
vi.stubGlobal(
  "ResizeObserver",
  class {
    observe(): void {}
    unobserve(): void {}
    disconnect(): void {}
  },
);
// A page that is gone has no timers any more: what Node keeps of them would find no window.
const begun = new Set<ReturnType<typeof setTimeout>>();
const begin = globalThis.setTimeout;
globalThis.setTimeout = Object.assign((...args: Parameters<typeof begin>) => {
  const timer = begin(...args);
  begun.add(timer);
  return timer;
}, begin);
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  forgetAll();
  unsay();
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(() => {
  for (const timer of begun) clearTimeout(timer);
});
