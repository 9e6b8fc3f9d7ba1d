// Fails when the first load passes its limits: the script that index.html names and imports at once, with the screen that is shown
// first, which is Home for who is signed in and the sign-in for who is not; the script that draws the frame; and the style sheet.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const SCRIPT_BYTES_MAX = { LoginScreen: 121_500, SignedIn: 151_000 };
const SHELL_BYTES_MAX = 104_300;
const STYLES_BYTES_MAX = 11_600;
const dist = join(dirname(fileURLToPath(import.meta.url)), "..", "dist");
const html = readFileSync(join(dist, "index.html"), "utf8");
const entries = [...html.matchAll(/(?:src|href)="\/(assets\/[^"]+\.js)"/g)].map((m) => m[1]);
const kB = (bytes) => `${(bytes / 1000).toFixed(1).padStart(7)} kB`;

/** The gzipped size of each file that `roots` load, themselves included. */
function loadedBy(roots) {
  const queue = [...roots];
  const sizes = new Map();
  while (queue.length > 0) {
    const file = queue.pop();
    if (sizes.has(file)) continue;
    const code = readFileSync(join(dist, file));
    sizes.set(file, gzipSync(code, { level: 9 }).length);
    // Static imports only: `import("…")` is loaded later.
    for (const m of code.toString().matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) queue.push(`assets/${m[1]}`);
  }
  return sizes;
}

function check(bytes, what, max) {
  console.log(`${kB(bytes)}  ${what}, gzipped; the limit is ${max / 1000} kB\n`);
  if (bytes > max) process.exitCode = 1;
}

for (const [screen, max] of Object.entries(SCRIPT_BYTES_MAX)) {
  const chunk = readdirSync(join(dist, "assets")).find((name) => name.startsWith(`${screen}-`) && name.endsWith(".js"));
  if (entries.length === 0 || chunk === undefined) throw new Error(`no first load for ${screen} in dist: is it built?`);
  const sizes = loadedBy([...entries, `assets/${chunk}`]);
  const total = [...sizes.values()].reduce((a, b) => a + b, 0);
  for (const [file, bytes] of [...sizes].toSorted((a, b) => b[1] - a[1]).slice(0, 8))
    console.log(`${kB(bytes)}  ${file}`);
  check(total, `first load with ${screen}`, max);
}
check(
  [...loadedBy(entries).values()].reduce((a, b) => a + b, 0),
  "what draws the frame",
  SHELL_BYTES_MAX,
);
const sheet = /href="\/(assets\/[^"]+\.css)"/.exec(html)?.[1] ?? "";
check(gzipSync(readFileSync(join(dist, sheet)), { level: 9 }).length, "the style sheet", STYLES_BYTES_MAX);
