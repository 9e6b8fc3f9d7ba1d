// What jsdom lacks and the app expects of a browser.
// First: some of what follows begins a timer as it is loaded.
import { endTimers } from "./timers";
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
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;

afterEach(() => {
  cleanup();
  forgetAll();
  unsay();
  localStorage.clear();
  sessionStorage.clear();
});

afterAll(endTimers);
