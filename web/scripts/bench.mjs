// Measures what a phone on a slow network waits for: each screen with an empty cache, the median of some loads. Writes RESULTS.md.
// With `--before`, the figures become the first column, which stays.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const LATENCY_MS = 400;
const BYTES_PER_S = 50_000;
const LOADS = 3;
/** A load is over when nothing has moved for so long. */
const QUIET_MS = 4000;
const OVER_MS_MAX = 40_000;
const SCREENS = [
  { name: "Sign-in", path: "/", signedIn: false },
  { name: "Home", path: "/", signedIn: true },
  { name: "Favors", path: "/favors", signedIn: true },
];
const ROWS = [
  ["paint_ms", "first paint, ms"],
  ["heading_ms", "heading visible, ms"],
  ["shift", "layout shift"],
  ["requests", "requests"],
  ["rpcs", "RPCs, without the live stream"],
  ["repeated", "of them asked before"],
  ["kB", "kB in all"],
  ["script_kB", "kB of script"],
  ["style_kB", "kB of styles"],
];

const here = dirname(fileURLToPath(import.meta.url));
const beforePath = join(here, "bench-before.json");
const url = process.env.GOODTURN_URL ?? "http://127.0.0.1:8080";
const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: here, encoding: "utf8" }).trim();

/** Runs in the page before its scripts: notes shifts, and when the heading of the screen is drawn. */
function watch() {
  const seen = { shift: 0, heading_ms: 0 };
  window.seen = seen;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  const look = () => {
    const heading = document.querySelector("main h1");
    if (heading?.checkVisibility() && heading.textContent !== "") seen.heading_ms = performance.now();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

/** Counts what crosses the network until it is quiet. */
async function record(page, cdp) {
  const told = { requests: 0, rpcs: [], bytes: 0, Script: 0, Stylesheet: 0 };
  const types = new Map();
  let last = Date.now();
  cdp.on("Network.requestWillBeSent", ({ requestId, type, request }) => {
    last = Date.now();
    told.requests += 1;
    types.set(requestId, type);
    const method = /\/goodturn\.[^/]+\/(\w+)$/.exec(request.url)?.[1];
    if (method !== undefined && method !== "WatchNotifications") told.rpcs.push(`${method} ${request.postData ?? ""}`);
  });
  cdp.on("Network.responseReceived", ({ requestId, type }) => types.set(requestId, type));
  cdp.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    last = Date.now();
    told.bytes += encodedDataLength;
    const type = types.get(requestId);
    if (type in told) told[type] += encodedDataLength;
  });
  return async () => {
    const began = Date.now();
    while (Date.now() - last < QUIET_MS && Date.now() - began < OVER_MS_MAX) await page.waitForTimeout(200);
    return told;
  };
}

const kB = (bytes) => Math.round(bytes / 100) / 10;

async function load(browser, { path, signedIn }, demo) {
  const { sub } = JSON.parse(Buffer.from(demo.idToken.split(".")[1], "base64url").toString());
  const localStorage = signedIn
    ? [
        // On this device it is known that no phone number is asked for any more.
        { name: `goodturn.phone_step.${sub}`, value: "over" },
        { name: "access_token", value: demo.accessToken },
        { name: "id_token", value: demo.idToken },
      ]
    : [];
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    deviceScaleFactor: 2,
    isMobile: true,
    hasTouch: true,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  const page = await context.newPage();
  const cdp = await context.newCDPSession(page);
  await cdp.send("Network.enable");
  await cdp.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: LATENCY_MS,
    downloadThroughput: BYTES_PER_S,
    uploadThroughput: BYTES_PER_S,
  });
  await page.addInitScript(watch);
  const recorded = await record(page, cdp);
  await page.goto(url + path, { waitUntil: "commit" });
  await page.waitForFunction(() => window.seen.heading_ms > 0, undefined, { timeout: OVER_MS_MAX });
  const told = await recorded();
  const seen = await page.evaluate(() => ({
    ...window.seen,
    paint_ms: performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0,
  }));
  await context.close();
  return {
    paint_ms: Math.round(seen.paint_ms),
    heading_ms: Math.round(seen.heading_ms),
    shift: Math.round(seen.shift * 1000) / 1000,
    requests: told.requests,
    rpcs: told.rpcs.length,
    repeated: told.rpcs.length - new Set(told.rpcs).size,
    kB: kB(told.bytes),
    script_kB: kB(told.Script),
    style_kB: kB(told.Stylesheet),
  };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

async function measure() {
  const { demo } = await (await fetch(`${url}/config.json`)).json();
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu"],
  });
  const figures = {};
  for (const screen of SCREENS) {
    const loads = [];
    for (let i = 0; i < LOADS; i += 1) loads.push(await load(browser, screen, demo));
    figures[screen.name] = Object.fromEntries(ROWS.map(([key]) => [key, median(loads.map((l) => l[key]))]));
    console.log(screen.name, figures[screen.name]);
  }
  await browser.close();
  return { commit, figures };
}

/** The columns stand below each other, as the formatter of the project wants them. */
function tableOf(name, before, after) {
  const rows = ROWS.map(([key, label]) => [label, String(before.figures[name][key]), String(after.figures[name][key])]);
  const all = [["", before.commit, after.commit], ...rows];
  const widths = [0, 1, 2].map((i) => Math.max(...all.map((row) => row[i].length)));
  const lineOf = (row) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join(" | ")} |`;
  const rule = `| ${widths.map((width, i) => (i === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [`## ${name}`, "", lineOf(all[0]), rule, ...rows.map(lineOf), ""].join("\n");
}

const now = await measure();
if (process.argv.includes("--before")) writeFileSync(beforePath, `${JSON.stringify(now, undefined, 2)}\n`);
const before = JSON.parse(readFileSync(beforePath, "utf8"));
writeFileSync(
  join(here, "..", "RESULTS.md"),
  `# What a phone waits for

Each screen opened with an empty cache, 390 × 844, on a network of ${LATENCY_MS} ms and ${BYTES_PER_S / 1000} kB/s: the median of ${LOADS} loads.
\`make bench-web\` writes this page; the first column is the app before its first load was looked at. Measured on ${cpus().length} cores
(${cpus()[0]?.model.trim()}); bytes are those that crossed the network, since the second column with the
parts of other screens, which are fetched ahead when the screen stands. The heading is the screen's own.

${SCREENS.map(({ name }) => tableOf(name, before, now)).join("\n")}`,
);
