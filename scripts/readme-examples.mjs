// Runs the examples of README.md as they stand, against the server that GOODTURN names: `node scripts/readme-examples.mjs`.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";

const example = /<!-- example prints="((?:[^"\\]|\\.)*)" -->\n```sh\n([\s\S]*?)```/g;
const found = [...readFileSync("README.md", "utf8").matchAll(example)];
if (found.length === 0) throw new Error("README.md has no examples");

// One shell for all: later examples use what earlier ones exported.
const mark = (n) => `\n==== example ${n}`;
const script = found.map(([, , code], n) => `echo '${mark(n)}'\n${code}`).join("\n");
let output = "";
try {
  output = execFileSync("bash", ["-euo", "pipefail", "-c", script], { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
} finally {
  rmSync("session.json", { force: true });
}
for (const [n, [, prints]] of found.entries()) {
  const part = output.split(mark(n))[1]?.split("\n==== example")[0] ?? "";
  const wanted = prints.replaceAll('\\"', '"');
  if (!part.includes(wanted)) throw new Error(`example ${n + 1} did not print ${wanted}:\n${part}`);
}
console.log(`${found.length} passed, 0 failed`);
