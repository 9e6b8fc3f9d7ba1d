// End-to-end tests: a real server (GOODTURN_URL, started by the test's caller) and the system's Chromium, as phone and as desktop.
import { defineConfig } from "@playwright/test";

// What these look at is the same in every size, and takes minutes: what a sign-in has in steps, a life of a favor, who is in a hurry, lost networks on
// the way. How their screens look in both is looked at by those of screens, eyes, sight, layers and tongue.
const specs = (...names: string[]) => names.map((name) => `${name}.spec.ts`);
const ofDesktop = specs(
  "session",
  "connect",
  "steps",
  "security",
  "provider",
  "data",
  "story",
  "groups",
  "people",
  "states",
);
const ofPhone = specs(
  "invite",
  "digest",
  "once",
  "unsent",
  "offline",
  "acts",
  "hurry",
  "timers",
  "words",
  "left",
  "parts",
);

export default defineConfig({
  testDir: "e2e",
  timeout: 120_000,
  // A small machine runs server, database and three browsers at once.
  expect: { timeout: 15_000 },
  // A third of a test is waiting.
  workers: 3,
  // Where the machine is busy, what was meant to come first may come second. Whatever needs it is told as flaky, and is to be mended.
  retries: 1,
  reporter: [["list"], ["./e2e/failures.ts"]],
  use: {
    baseURL: process.env["GOODTURN_URL"] ?? "http://127.0.0.1:8080",
    locale: "en-US",
    timezoneId: "America/New_York",
    // A trace is a film of the screen, and costs as much as the test. TRACE=1 takes one of what fails.
    trace: process.env["TRACE"] === undefined ? "off" : "retain-on-failure",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
      args: [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-quic",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
      ],
    },
  },
  projects: [
    {
      name: "phone",
      testIgnore: ofDesktop,
      use: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
    },
    { name: "desktop", testIgnore: ofPhone, use: { viewport: { width: 1280, height: 800 } } },
  ],
});
