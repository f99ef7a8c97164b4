import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { checks } from "./checks.ts";

/**
 * The test command: runs every check of the source, then every test file in random order. The report names the seed of
 * the order; TEST_SEED repeats it. Ends with `N passed, N failed`, and with exit code 1 if anything failed or nothing ran.
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

// Each file runs in a separate process, and many start a Clew, so they share most of the compiled code.
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
  console.log("No tests ran.");
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
