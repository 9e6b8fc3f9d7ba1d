// End-to-end tests: a real server (GOODTURN_URL, started by the caller) and the system's Chromium.
import { defineConfig } from "@playwright/test";
import { PHONE } from "./e2e/test.ts";

export default defineConfig({
  testDir: "e2e",
  timeout: 120_000,
  // Two cores run the server, the database and three browsers at once.
  expect: { timeout: 15_000 },
  // A third of each test is waiting.
  workers: 3,
  fullyParallel: true,
  forbidOnly: true,
  // A retry is reported as flaky: fix the test.
  retries: 1,
  reporter: [["list"], ["./e2e/failures.ts"]],
  use: {
    ...PHONE,
    baseURL: process.env["GOODTURN_URL"] ?? "http://127.0.0.1:8080",
    locale: "en-US",
    timezoneId: "America/New_York",
    contextOptions: { reducedMotion: "reduce" },
    // A trace films the screen and doubles the cost of a test. TRACE=1 keeps one for each failure.
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
});
