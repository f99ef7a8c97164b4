import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";

const root = join(import.meta.dirname, "../..");

/** A folder with test files: their text by name. */
async function planted(t: TestContext, files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-planted-"));
  t.after(() => rm(folder, { recursive: true }));
  for (const [name, code] of Object.entries(files)) await writeFile(join(folder, name), code);
  return folder;
}

interface Run {
  readonly code: number | null;
  readonly lastLine: string;
}

/** Runs a command in the root, as people and CI do, and without what this test run has set for its own processes. */
async function run(command: string, ...args: readonly string[]): Promise<Run> {
  const { PATH, HOME } = process.env;
  const child = spawn(command, args, {
    cwd: root,
    env: { PATH, HOME },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const output = await text(child.stdout);
  return { code: await ended, lastLine: output.trimEnd().split("\n").at(-1) ?? "" };
}

const passes = 'import { test } from "node:test";\ntest("planted: passes", () => {});\n';
const fails = `${passes}test("planted: fails", () => { throw new Error("planted"); });\n`;
const hookFails = `${passes}import { after, suite } from "node:test";
suite("planted", () => { test("passes", () => {}); after(() => { throw new Error("planted"); }); });\n`;
const endsBadly = `${passes}process.on("exit", () => { process.exitCode = 3; });\n`;
const rejectsOutside = `import { test } from "node:test";
test("planted: rejects outside", async () => {
  void Promise.reject(new Error("planted"));
  await new Promise((resolve) => setTimeout(resolve, 100));
});\n`;
const noTests = "export const tests = 0;\n";

test("OPS-1: npm test ends with its counts, and with 1 if a test, a hook or a process failed, or no test ran", async (t) => {
  const outcome = async (files: Readonly<Record<string, string>>) => {
    const { code, lastLine } = await run("npm", "test", "--", await planted(t, files));
    return [code, lastLine];
  };
  assert.deepEqual(await outcome({ "a.test.ts": passes, "b.test.ts": passes }), [0, "2 passed, 0 failed"]);
  assert.deepEqual(await outcome({ "a.test.ts": passes, "b.test.ts": fails }), [1, "2 passed, 1 failed"]);
  assert.deepEqual(await outcome({ "a.test.ts": hookFails }), [1, "2 passed, 1 failed"]);
  assert.deepEqual(await outcome({ "a.test.ts": endsBadly }), [1, "1 passed, 1 failed"]);
  assert.deepEqual(await outcome({ "a.test.ts": rejectsOutside }), [1, "1 passed, 1 failed"]);
  assert.deepEqual(await outcome({ "a.test.ts": noTests }), [1, "0 passed, 1 failed"]);
  const [code] = await outcome({});
  assert.equal(code, 1);
});

test("OPS-1: npm test counts every test, however fast they end", async (t) => {
  const number = 4_000;
  const many = `import { test } from "node:test";
for (let each = 0; each < ${number}; each += 1) test(\`planted \${each}: \${"long ".repeat(100)}\`, () => {});\n`;
  const folder = await planted(t, { "a.test.ts": many });
  assert.deepEqual(await run("npm", "test", "--", folder), {
    code: 0,
    lastLine: `${number} passed, 0 failed`,
  });
});

test("OPS-1: npm test with a file runs that file alone", async (t) => {
  const folder = await planted(t, { "a.test.ts": passes, "b.test.ts": fails });
  assert.deepEqual(await run("npm", "test", "--", join(folder, "a.test.ts")), {
    code: 0,
    lastLine: "1 passed, 0 failed",
  });
});

test("OPS-1: .ci/run ends with the counts and the exit code of the tests", async (t) => {
  const ci = async (code: string) => run("bash", ".ci/run", await planted(t, { "a.test.ts": code }));
  assert.deepEqual(await ci(passes), { code: 0, lastLine: "1 passed, 0 failed" });
  assert.deepEqual(await ci(fails), { code: 1, lastLine: "1 passed, 1 failed" });
});
