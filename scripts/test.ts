import { createHash } from "node:crypto";
import { globSync, statSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, matchesGlob, relative, resolve } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { checks } from "./checks.ts";
import { openPooler } from "./pooler.ts";
import { openTestServer } from "./postgres.ts";

/**
 * The test command: runs every check of the source, every test file in random order, three at a time, and those of
 * `onBoth` also on PostgreSQL. With files or folders as arguments it runs the tests in them in the same way, and no check.
 * With `--postgres` it runs every test file on PostgreSQL alone, with `--pgbouncer` behind a pooler. The report names the
 * seed of the order; TEST_SEED repeats it. Ends with `N passed, N failed`, and with exit code 1 if anything failed or
 * nothing ran.
 */
const root = join(import.meta.dirname, "..");
const { values: options, positionals: paths } = parseArgs({
  options: { postgres: { type: "boolean" }, pgbouncer: { type: "boolean" } },
  allowPositionals: true,
});
const seed = Number(process.env.TEST_SEED ?? Date.now() % 0xffff_ffff);
let passed = 0;
let failed = 0;

/** Milliseconds after which a test fails. */
const testTimeoutMs = 240_000;
/** Milliseconds after which a process with test files is ended. */
const processTimeoutMs = 900_000;

/** Test files that share a process: loading the server takes longer than most of them do. */
const filesPerProcess = 16;

/** What depends most on the database. `npm run test:postgres` runs all, which takes longer. */
const onBoth = [
  "packages/server/src/{store,auth,sync/jobs}/**/*.test.ts",
  "packages/server/src/sync/races.test.ts",
  "packages/server/src/api/{audit,auth,tokens,workspaces}/**/*.test.ts",
  "packages/server/src/api/graph/{changes,rows,text}.test.ts",
  "test/postgres/**/*.test.ts",
  "test/{instances,equal-answers,freshness,starvation}/*.test.ts",
];

/** What mostly waits: for processes that start, end or are killed. */
const waiting = ["test/{install,process,restore,surface}/**/*.test.ts"];

const everything = "{packages,test,bench,scripts}/**/*.test.ts";

const isDependency = (path: string) => path.includes("node_modules");
const isIn = (patterns: readonly string[]) => (file: string) =>
  patterns.some((pattern) => matchesGlob(file, pattern));

/** The test files below the root that the command runs: all, or those that `paths` name or contain. */
function testFiles(): readonly string[] {
  if (paths.length > 0) return [...new Set(paths.flatMap(filesIn))];
  const all = globSync(everything, { cwd: root, exclude: isDependency });
  const idle = [...onBoth, ...waiting].filter((pattern) => !all.some(isIn([pattern])));
  if (idle.length > 0) throw new Error(`No test file matches ${idle.join(", ")}: correct scripts/test.ts.`);
  return all;
}

function filesIn(path: string): readonly string[] {
  // npm runs a script in the root, wherever it was called.
  const full = resolve(process.env.INIT_CWD ?? ".", path);
  const isFolder = statSync(full, { throwIfNoEntry: false })?.isDirectory() ?? false;
  const found = globSync(isFolder ? `${full}/**/*.test.ts` : full, { exclude: isDependency });
  const files = found.filter((file) => file.endsWith(".test.ts"));
  if (files.length === 0) {
    console.error(`There is no test file at ${path}.`);
    process.exit(1);
  }
  return files.map((file) => relative(root, file));
}

function runChecks(): void {
  for (const { name, run: runCheck } of checks) {
    const fault = runCheck();
    console.log(fault === null ? `✔ ${name}` : `✖ ${name}\n${fault}`);
    if (fault === null) passed += 1;
    else failed += 1;
  }
}

/**
 * Test files with a process of their own: those that start processes and browsers take longest, and `effort.test.ts` counts the
 * blocks of code that run, as V8 does only in code that it has not yet optimized.
 */
const isAlone = (file: string) => file.startsWith("test/") || file.endsWith("/effort.test.ts");

/**
 * The modules that the processes of a run load: one file each, or a module in `folder` that imports several. Those that
 * take longest are first.
 */
async function entriesOf(files: readonly string[], folder: string): Promise<string[]> {
  const drawn = files.map((file) => ({
    file,
    key: createHash("sha256").update(`${seed} ${file}`).digest("hex"),
  }));
  const ordered = drawn.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ file }) => file);
  const entries = ordered.filter(isAlone).map((file) => join(root, file));
  const together = ordered.filter((file) => !isAlone(file));
  for (let at = 0; at < together.length; at += filesPerProcess) {
    const entry = join(folder, `${entries.length}.mjs`);
    const imports = together.slice(at, at + filesPerProcess).map((file) => pathToFileURL(join(root, file)));
    await writeFile(entry, imports.map(({ href }) => `import ${JSON.stringify(href)};\n`).join(""));
    entries.push(entry);
  }
  return entries;
}

interface RunOptions {
  /** Processes at a time. */
  readonly concurrency: number;
  readonly env: NodeJS.ProcessEnv;
  readonly output: NodeJS.WritableStream;
}

async function runTests(files: readonly string[], { concurrency, env, output }: RunOptions): Promise<void> {
  if (files.length === 0) return;
  const folder = await mkdtemp(join(tmpdir(), "clew-test-"));
  const entries = await entriesOf(files, folder);
  const events = run({
    cwd: root,
    // In this order: `randomSeed` would change it.
    files: entries,
    execArgv: [`--test-random-seed=${seed}`, `--test-timeout=${testTimeoutMs}`],
    timeout: processTimeoutMs,
    concurrency,
    env,
  });
  events.on("test:pass", ({ name, details, skip }) => {
    if (details.type === "suite" || skip !== undefined) return;
    // A process that ran no test is reported as a test that passed.
    if (entries.includes(name)) {
      console.log(`No test ran in ${name}.`);
      failed += 1;
    } else passed += 1;
  });
  events.on("test:fail", ({ details }) => {
    const { type, error } = details;
    // A suite counts if it failed by itself, in a hook.
    const isCounted = "failureType" in error && error.failureType === "subtestsFailed";
    if (type !== "suite" || !isCounted) failed += 1;
  });
  await pipeline(events.compose(spec), output, { end: false });
  await rm(folder, { recursive: true });
}

async function runOnPostgres(
  files: readonly string[],
  runOptions: Pick<RunOptions, "concurrency" | "output">,
): Promise<void> {
  if (files.length === 0) return;
  const server = await openTestServer();
  const pooler = options.pgbouncer ? await openPooler(server.url) : null;
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_DATABASE_URL: server.url };
  if (pooler !== null) env.TEST_POOLER_PORT = String(pooler.port);
  runOptions.output.write(
    `The following tests use PostgreSQL${pooler === null ? "" : " behind pgbouncer"}.\n`,
  );
  try {
    await runTests(files, { ...runOptions, env });
  } finally {
    await pooler?.stop();
    await server.stop();
  }
}

/** What depends on the database and then what mostly waits, while the other tests run: their report comes after. */
async function runBothShares(files: readonly string[]): Promise<void> {
  const databaseFiles = files.filter(isIn(onBoth));
  const waitingFiles = files.filter(isIn(waiting));
  const otherFiles = files.filter((file) => !waitingFiles.includes(file));
  const report = new PassThrough();
  const beside = async () => {
    await runOnPostgres(databaseFiles, { concurrency: 1, output: report });
    await runTests(waitingFiles, { concurrency: 1, env: process.env, output: report });
    report.end();
  };
  const [written] = await Promise.all([
    buffer(report),
    runTests(otherFiles, { concurrency: 2, env: process.env, output: process.stdout }),
    beside(),
  ]);
  process.stdout.write(written);
}

// Many processes run tests, and many of those start a Clew: they share most of the compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const files = testFiles();
console.log(`Order of the tests: TEST_SEED=${seed}`);
if (options.postgres || options.pgbouncer) {
  await runOnPostgres(files, { concurrency: 2, output: process.stdout });
} else {
  if (paths.length === 0) runChecks();
  await runBothShares(files);
}
if (passed + failed === 0) {
  console.log("No test ran.");
  failed += 1;
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
