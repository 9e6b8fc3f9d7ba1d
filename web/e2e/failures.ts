// The failed tests and those that passed at the second try, a line each: the scripts print them last, where a cut log has them.
import { mkdirSync, writeFileSync } from "node:fs";
import { stripVTControlCharacters } from "node:util";
import type { FullResult, Reporter, Suite, TestCase } from "@playwright/test/reporter";

const FOLDER = "test-results";

const said = (test: TestCase): string =>
  stripVTControlCharacters(test.results.findLast(({ error }) => error !== undefined)?.error?.message ?? "")
    .split("\n", 1)[0]
    ?.slice(0, 160) ?? "";

export default class Failures implements Reporter {
  private root: Suite | undefined;

  onBegin(_: unknown, root: Suite): void {
    this.root = root;
  }

  private write(file: string, outcome: ReturnType<TestCase["outcome"]>): void {
    const tests = this.root?.allTests().filter((test) => test.outcome() === outcome) ?? [];
    const lines = tests.map((test) => `${test.titlePath().slice(1).join(" › ")}: ${said(test)}`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(`${FOLDER}/${file}`, lines.map((line) => `${line}\n`).join(""));
  }

  onEnd({ status }: FullResult): void {
    this.write("flaky.txt", "flaky");
    if (status !== "passed") this.write("failures.txt", "unexpected");
  }
}
