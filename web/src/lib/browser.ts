// What this browser is called where its member sees a list of their devices, in the words that the server has for sign-ins.
import { words } from "./browserWords";

const BROWSERS = [
  ["Edge", /\bEdg(e|A|iOS)?\//],
  ["Opera", /\bOPR\//],
  ["Samsung Internet", /\bSamsungBrowser\//],
  ["Firefox", /\b(Firefox|FxiOS)\//],
  ["Chrome", /\b(Chrome|CriOS|HeadlessChrome)\//],
  ["Safari", /\bSafari\//],
] as const;
const SYSTEMS = [
  ["iPhone", /\biPhone\b/],
  ["iPad", /\biPad\b/],
  ["Android", /\bAndroid\b/],
  ["ChromeOS", /\bCrOS\b/],
  ["Windows", /\bWindows\b/],
  ["macOS", /\bMac OS X\b/],
  ["Linux", /\bLinux\b/],
] as const;

type Names = readonly (readonly [string, RegExp])[];
const nameIn = (agent: string, names: Names): string => names.find(([, is]) => is.test(agent))?.[0] ?? "";

/** The browser and its system, as "Firefox on Linux"; empty when neither is known. */
export function browserName(agent = navigator.userAgent): string {
  const [browser, system] = [nameIn(agent, BROWSERS), nameIn(agent, SYSTEMS)];
  return browser === "" || system === "" ? browser || system : words.browserOn(browser, system);
}
