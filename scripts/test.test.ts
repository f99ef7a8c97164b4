import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";

/** Runs the test command on files with these sources; returns the last line of its report, its exit code and the whole. */
function runTestCommand(t: TestContext, sources: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), "clew-test-command-"));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, source] of Object.entries(sources))
    writeFileSync(join(folder, `${name}.test.ts`), `import { test } from "node:test";\n${source}\n`);
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const { stdout, status } = spawnSync(process.execPath, [join(import.meta.dirname, "test.ts"), folder], {
    env: { ...env, INIT_CWD: folder },
    encoding: "utf8",
  });
  return { report: stdout, counts: stdout.trimEnd().split("\n").at(-1), status };
}

test("a file that waits before its tests has all of them run", (t) => {
  const { counts, status } = runTestCommand(t, {
    quick: 'test("one", () => {});',
    slow: 'import { setTimeout } from "node:timers/promises";\nawait setTimeout(300);\ntest("two", () => {});',
  });
  assert.deepEqual([counts, status], ["2 passed, 0 failed", 0]);
});

test("a file without a test, one that cannot be loaded and a failing test each fail the command", (t) => {
  const { report, counts, status } = runTestCommand(t, {
    empty: "export { test };",
    failing: 'test("one", () => { throw new Error("no"); });',
  });
  const [, ending = ""] = report.split("What failed");
  assert.match(ending, /✖ one\nError: no\n/, "with its reason");
  assert.match(ending, /✖ No test of .*empty\.test\.ts ran\./);
  assert.deepEqual([counts, status], ["0 passed, 2 failed", 1]);
  assert.equal(runTestCommand(t, { broken: 'test("one", () => {});\nthrow new Error("no");' }).status, 1);
});
