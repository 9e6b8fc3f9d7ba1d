// The failed tests, a line each, in a file of its own: a log that is cut at its end is told them last.
import { mkdirSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";

const FOLDER = "test-results";

const said = (test: TestCase): string =>
  stripVTControlCharacters(test.results.at(-1)?.error?.message ?? "")
    .split("\n", 1)[0]
    ?.slice(0, 160) ?? "";

export default class Failures implements Reporter {
  private root: Suite | undefined;

  onBegin(_: unknown, root: Suite): void {
    this.root = root;
  }

  onEnd({ status }: FullResult): void {
    if (status === "passed") return;
    const failed = this.root?.allTests().filter((test) => test.outcome() === "unexpected") ?? [];
    const lines = failed.map((test) => `${test.titlePath().slice(1).join(" › ")}: ${said(test)}`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}/failures.txt`, lines.map((line) => `${line}\n`).join(""));
  }
}
