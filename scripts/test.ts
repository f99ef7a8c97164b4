import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { checks } from "./checks.ts";

/**
 * The test command: every check of the source, then every test file in a random order, whose seed the
 * report names and TEST_SEED brings back.
 * Ends with `N passed, N failed`, and with exit code 1 where anything failed or nothing ran.
 */
const root = join(import.meta.dirname, "..");
let passed = 0;
let failed = 0;

for (const { name, run: runCheck } of checks) {
  const fault = runCheck();
  console.log(fault === null ? `✔ ${name}` : `✖ ${name}\n${fault}`);
  if (fault === null) passed += 1;
  else failed += 1;
}

const files = globSync("{packages,test,bench,scripts}/**/*.test.ts", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
}).map((file) => join(root, file));
const checked = passed + failed;

// Each file runs in a process of its own, and many start a Clew: most of what they compile is the same.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const events = run({
  cwd: root,
  files,
  concurrency: 2,
  timeout: 240_000,
  randomSeed: Number(process.env.TEST_SEED ?? Date.now() % 0xffff_ffff),
});
events.on("test:pass", ({ details, skip }) => {
  if (details.type !== "suite" && skip === undefined) passed += 1;
});
events.on("test:fail", ({ details }) => {
  if (details.type !== "suite") failed += 1;
});
const report = events.compose(spec);
for await (const chunk of report) process.stdout.write(chunk);

if (passed + failed === checked) {
  console.log("no test ran");
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
