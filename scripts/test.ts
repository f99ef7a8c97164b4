import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, matchesGlob } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { inspect, parseArgs } from "node:util";
import { inOrderOf } from "@clew/stand-in/testing/random";
import { runSeed as seed } from "@clew/stand-in/testing/share";
import { proofs, runChecks } from "./checks.ts";
import { joinDependencies } from "./joined-dependencies.ts";
import { openPooler } from "./pooler.ts";
import { openTestServer } from "./postgres.ts";
import { allTestFiles, root, testFilesAt } from "./test-files.ts";

/**
 * The test command: proves that the checks of the source can fail, then runs every test file in random order, several at a
 * time, the checks among them, and those of `onBoth` also on PostgreSQL. With files or folders as arguments it runs the tests
 * in them in the same way.
 * The tests of large families of cases draw a share of them by the same seed; with `--whole` they take all of them.
 * With `--postgres` it runs every test file on PostgreSQL alone, with `--pgbouncer` behind a pooler. The report names the
 * seed of the order; TEST_SEED repeats it. Ends with what failed and `N passed, N failed`, and with exit code 1 if anything
 * failed or nothing ran.
 */
const { values: options, positionals: paths } = parseArgs({
  options: { postgres: { type: "boolean" }, pgbouncer: { type: "boolean" }, whole: { type: "boolean" } },
  allowPositionals: true,
});
let passed = 0;
/** Failures, in words for the end of the report. */
const failures: string[] = [];

/** The module that each process loads before its tests. */
const preload = pathToFileURL(join(import.meta.dirname, "test-process.ts")).href;

/** Milliseconds after which a test fails. */
const testTimeoutMs = 240_000;
/** Milliseconds after which a run ends, in case a hook waits forever: hooks have no timeout. */
const runTimeoutMs = 3_600_000;

/** The checks of the source, which no database changes. */
const checksFile = "scripts/checks.test.ts";

/** The number of test files that share a process at most, by pattern of their paths: loading the server takes longer than most files do. */
const filesPerProcess: Readonly<Record<string, number>> = {
  [checksFile]: 1,
  // It counts the blocks of code that run, as V8 does only in code that it has not yet optimized.
  "**/effort.test.ts": 1,
  // Beside it, others would wait for minutes after their set-up, and a sync that follows the first one would begin.
  "test/surface/matrix.test.ts": 1,
  // They share a browser.
  "test/{accessibility,browser,large}/**": 6,
  "test/!(accessibility|browser|large)/**": 6,
  // React is another one after the dashboard was built: it reads NODE_ENV, which Vite sets.
  "packages/dashboard/build.test.ts": 1,
  // It takes longer than any other unit test.
  "packages/server/src/mcp/tools.test.ts": 1,
  // Unit tests, and files that are not in the root.
  other: 64,
};

/** A process gets at most this share of the files that are left, so that the last processes end at about the same time. */
const largestShare = 1 / 4;
/** For fewer files than this it does not pay to load the server. */
const fewestFiles = 8;

/**
 * The tests that depend most on the database, and those that compare both. `npm run test:postgres` runs all, which takes longer
 * than people wait: before a release, and after a change of the store.
 */
const onBoth = [
  "packages/server/src/{store,sync/jobs,api/tokens}/**/*.test.ts",
  "packages/server/src/{auth,sync}/races.test.ts",
  "packages/server/src/graphs/kept-graphs.test.ts",
  "test/surface/matrix.test.ts",
  "test/postgres/**/*.test.ts",
  "test/{instances,history,equal-answers,upgrade}/*.test.ts",
];

/** Tests that mostly wait: for processes that start, end or are killed. */
const waiting = ["test/{install,process,restore,surface}/**/*.test.ts"];

const isIn = (patterns: readonly string[]) => (file: string) =>
  patterns.some((pattern) => matchesGlob(file, pattern));

/** The test files below the root that the command runs: all, or those that `paths` name or contain. */
function testFiles(): readonly string[] {
  if (paths.length > 0) return [...new Set(paths.flatMap(testFilesAt))];
  const all = allTestFiles();
  const idle = [...onBoth, ...waiting].filter((pattern) => !all.some(isIn([pattern])));
  if (idle.length > 0) throw new Error(`No test file matches ${idle.join(", ")}: correct scripts/test.ts.`);
  return all;
}

/** The modules that the processes of a run load, in `folder`. Each imports several files; those that take longest are first. */
async function entriesOf(files: readonly string[], folder: string): Promise<string[]> {
  const ordered = inOrderOf(seed, files, (file) => file);
  const patterns = Object.keys(filesPerProcess);
  const shares = Map.groupBy(
    ordered,
    (file) => patterns.find((pattern) => matchesGlob(file, pattern)) ?? "other",
  );
  const entries: string[] = [];
  for (const [pattern, count] of Object.entries(filesPerProcess)) {
    const left = shares.get(pattern) ?? [];
    while (left.length > 0) {
      const share = Math.max(fewestFiles, Math.ceil(left.length * largestShare));
      const entry = join(folder, `${entries.length}.mjs`);
      const urls = left.splice(0, Math.min(count, share)).map((file) => pathToFileURL(join(root, file)));
      await writeFile(entry, entryFor(urls));
      entries.push(entry);
    }
  }
  return entries;
}

/**
 * The source of a module that loads test files. Its own test lasts until all are loaded: otherwise the process ends once the
 * tests that it knows have run, while a file still waits at its top level.
 */
function entryFor(urls: readonly URL[]): string {
  const imports = urls.map(({ href }) => `import(${JSON.stringify(href)})`);
  return `import { test } from "node:test";
const loading = Promise.all([${imports.join(", ")}]);
test("loads its test files", () => loading);
`;
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
    execArgv: [
      `--import=${preload}`,
      `--test-random-seed=${seed}`,
      `--test-timeout=${testTimeoutMs}`,
      // Objects that tests drop soon are collected in fewer, larger steps, from the start (decision 101).
      "--min-semi-space-size=64",
      "--max-semi-space-size=64",
      // The processes share few processors: threads that help to collect would only wait for each other.
      "--single-threaded-gc",
      // A hook that fails leaves a server open.
      "--test-force-exit",
    ],
    signal: AbortSignal.timeout(runTimeoutMs),
    concurrency,
    env,
  });
  const filesThatRan = new Set<string>();
  const note = ({ file = "" }: { readonly file?: string | undefined }) => filesThatRan.add(file);
  events.on("test:pass", (event) => {
    note(event);
    const { details, skip, file = "" } = event;
    if (details.type !== "suite" && skip === undefined && !entries.includes(file)) passed += 1;
  });
  events.on("test:fail", (event) => {
    note(event);
    const { type, error } = event.details;
    // A suite counts if it failed by itself, in a hook.
    const isCounted = "failureType" in error && error.failureType === "subtestsFailed";
    if (type === "suite" && isCounted) return;
    failures.push(`✖ ${event.name}\n${inspect(error.cause ?? error)}`);
  });
  await pipeline(events.compose(spec), output, { end: false });
  await rm(folder, { recursive: true });
  for (const file of files.filter((each) => !filesThatRan.has(join(root, each))))
    failures.push(`✖ No test of ${file} ran.`);
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

/**
 * Runs the tests that depend on the database and then those that mostly wait, while the others run. Their report comes after.
 * Four or five processes at a time keep two processors busy, since many tests wait for processes, timers and each other.
 */
async function runBothShares(files: readonly string[]): Promise<void> {
  const databaseFiles = files.filter(isIn(onBoth));
  const waitingFiles = files.filter(isIn(waiting));
  const otherFiles = files.filter((file) => !waitingFiles.includes(file));
  const report = new PassThrough();
  const beside = async () => {
    await runOnPostgres(databaseFiles, { concurrency: 1, output: report });
    await runTests(waitingFiles, { concurrency: 2, env: process.env, output: report });
    report.end();
  };
  const [written] = await Promise.all([
    buffer(report),
    runTests(otherFiles, { concurrency: 3, env: process.env, output: process.stdout }),
    beside(),
  ]);
  process.stdout.write(written);
}

// Many processes run tests, and many of those start a Clew: they share most of the compiled code, and load fewer modules.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");
process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ""} ${await joinDependencies()}`.trim();

process.env.TEST_SEED = String(seed);
if (options.whole) process.env.TEST_WHOLE = "1";

const files = testFiles();
console.log(`Order of the tests, and cases of large families: TEST_SEED=${seed}`);
if (options.postgres || options.pgbouncer) {
  const databaseFiles = files.filter((file) => file !== checksFile);
  await runOnPostgres(databaseFiles, { concurrency: 2, output: process.stdout });
} else {
  if (paths.length === 0) {
    const proved = runChecks(proofs);
    passed += proved.passed;
    failures.push(...proved.failures);
  }
  await runBothShares(files);
}
if (passed + failures.length === 0) failures.push("✖ No test ran.");
if (failures.length > 0) console.log(["What failed, in any share of the run:", ...failures].join("\n"));
console.log(`${passed} passed, ${failures.length} failed`);
process.exitCode = failures.length === 0 ? 0 : 1;
