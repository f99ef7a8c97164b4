import { globSync } from "node:fs";
import { join } from "node:path";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { checks } from "./checks.ts";
import { openPooler } from "./pooler.ts";
import { openTestServer } from "./postgres.ts";

/**
 * The test command: runs every check of the source, every test file in random order, and those of `onBoth` again on PostgreSQL.
 * With the argument `postgres` it runs every test file on PostgreSQL alone, with `pgbouncer` behind a pooler. The report names the seed of the order; TEST_SEED
 * repeats it. Ends with `N passed, N failed`, and with exit code 1 if anything failed or nothing ran.
 */
const root = join(import.meta.dirname, "..");
const mode = process.argv[2];
let passed = 0;
let failed = 0;

/** What depends most on the database. `npm run test:postgres` runs all, which takes longer. */
const onBoth = [
  "packages/server/src/{store,auth,sync/jobs}/**/*.test.ts",
  "packages/server/src/sync/races.test.ts",
  "packages/server/src/api/{audit,auth,tokens,workspaces}/**/*.test.ts",
  "packages/server/src/api/graph/{changes,rows,text}.test.ts",
  "test/postgres/**/*.test.ts",
  "test/{instances,equal-answers}/*.test.ts",
];

function runChecks(): void {
  for (const { name, run: runCheck } of checks) {
    const fault = runCheck();
    console.log(fault === null ? `✔ ${name}` : `✖ ${name}\n${fault}`);
    if (fault === null) passed += 1;
    else failed += 1;
  }
}

async function runTests(...patterns: readonly string[]): Promise<void> {
  const files = globSync([...patterns], { cwd: root, exclude: (path) => path.includes("node_modules") });
  const before = passed + failed;
  const events = run({
    cwd: root,
    files: files.map((file) => join(root, file)),
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
  if (passed + failed > before) return;
  console.log(`No tests ran of ${patterns.join(", ")}.`);
  failed += 1;
}

async function runOnPostgres(...patterns: readonly string[]): Promise<void> {
  const server = await openTestServer();
  const pooler = mode === "pgbouncer" ? await openPooler(server.url) : null;
  console.log(`The following tests use PostgreSQL${pooler === null ? "" : " behind pgbouncer"}.`);
  // The processes of the tests inherit them.
  process.env.TEST_DATABASE_URL = server.url;
  if (pooler !== null) process.env.TEST_POOLER_PORT = String(pooler.port);
  try {
    await runTests(...patterns);
  } finally {
    await pooler?.stop();
    await server.stop();
  }
}

// Each file runs in a separate process, and many start a Clew, so they share most of the compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const everything = "{packages,test,bench,scripts}/**/*.test.ts";
if (mode === "postgres" || mode === "pgbouncer") {
  await runOnPostgres(everything);
} else {
  runChecks();
  await runTests(everything);
  await runOnPostgres(...onBoth);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
