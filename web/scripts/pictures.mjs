// Takes the pictures of README.md: what the demo member sees on a desktop, light, and on a phone, dark. Against the server that GOODTURN_URL names.
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "@playwright/test";

const BYTES_MAX = 150_000;
const docs = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "docs");
const url = process.env.GOODTURN_URL ?? "http://127.0.0.1:8080";
const SIZES = [
  { suffix: "", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { suffix: "-phone", viewport: { width: 390, height: 844 }, colorScheme: "dark", isMobile: true, hasTouch: true },
];

const json = async (path, headers = {}) => {
  const answer = await fetch(url + path, { headers });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
};

const { demo } = await json("/config.json");
const mine = (path) => json(path, { authorization: `Bearer ${demo.accessToken}` });
const [{ items }, { requests }] = await Promise.all([
  mine("/feed?q=mixer"),
  mine("/me/borrow-requests?as=borrower&status=ACTIVE"),
]);
/** Each with a text that comes last on it. */
const SCREENS = [
  ["home", "/", "What's due"],
  ["favors", "/favors", "Walk Biscuit"],
  ["share", "/share", "Cargo bike"],
  ["item", `/share/items/${items[0].item_id}`, "Select Dates"],
  ["rental", `/share/rentals/${requests[0].request_id}`, "Cancellation policy"],
];

/** Nothing is on its way any more. */
async function settled(page, last) {
  await page.locator("main").getByText(last).first().waitFor();
  await page.waitForTimeout(500);
  await page.waitForFunction(
    () =>
      document.querySelector(".mantine-Skeleton-root, .mantine-Loader-root") === null &&
      // Those below are not loaded before they are near.
      [...document.images].every(({ complete, y }) => complete || y > window.innerHeight),
  );
}

const { sub } = JSON.parse(Buffer.from(demo.idToken.split(".")[1], "base64url").toString());
const localStorage = [
  // On this device it is known that no phone number is asked for any more.
  { name: `goodturn.phone_step.${sub}`, value: "over" },
  { name: "access_token", value: demo.accessToken },
  { name: "id_token", value: demo.idToken },
];
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--headless", "--no-sandbox", "--disable-gpu"],
});
for (const { suffix, ...size } of SIZES) {
  const context = await browser.newContext({
    ...size,
    reducedMotion: "reduce",
    locale: "en-US",
    // The demo's hours are of the machine's zone.
    timezoneId: Intl.DateTimeFormat().resolvedOptions().timeZone,
    storageState: { cookies: [], origins: [{ origin: url, localStorage }] },
  });
  const page = await context.newPage();
  for (const [name, path, last] of SCREENS) {
    await page.goto(url + path);
    await settled(page, last);
    const file = join(docs, `${name}${suffix}.png`);
    await page.screenshot({ path: file });
    const { size: bytes } = statSync(file);
    console.log(`${name}${suffix}.png ${bytes}`);
    if (bytes > BYTES_MAX) throw new Error(`${file} has more than ${BYTES_MAX} bytes`);
  }
  await context.close();
}
await browser.close();
