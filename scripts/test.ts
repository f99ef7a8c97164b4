import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { run } from "node:test";
import { spec } from "node:test/reporters";
import { pathToFileURL } from "node:url";
import { checks } from "./checks.ts";
import { openPooler } from "./pooler.ts";
import { openTestServer } from "./postgres.ts";

/**
 * The test command: runs every check of the source, every test file in random order, three at a time, and those of
 * `onBoth` also on PostgreSQL. With the argument `postgres` it runs every test file on PostgreSQL alone, with `pgbouncer`
 * behind a pooler. The report names the seed of the order; TEST_SEED repeats it. Ends with `N passed, N failed`, and with
 * exit code 1 if anything failed or nothing ran.
 */
const root = join(import.meta.dirname, "..");
const mode = process.argv[2];
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
  "test/{instances,equal-answers,starvation}/*.test.ts",
];

/** What mostly waits: for processes that start, end or are killed. */
const waiting = ["test/{process,restore,surface}/**/*.test.ts"];

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
 * What each process of a run loads: one file, or a module in `folder` that imports several. Those that take longest are
 * first.
 */
async function entriesOf(
  patterns: readonly string[],
  except: readonly string[],
  folder: string,
): Promise<readonly string[]> {
  const left = new Set(globSync([...except], { cwd: root }));
  const all = globSync([...patterns], { cwd: root, exclude: (path) => path.includes("node_modules") });
  const found = all.filter((file) => !left.has(file));
  const drawn = found.map((file) => ({
    file,
    key: createHash("sha256").update(`${seed} ${file}`).digest("hex"),
  }));
  const files = drawn.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ file }) => file);
  const alone = files.filter(isAlone);
  const together = files.filter((file) => !isAlone(file));
  const entries = alone.map((file) => join(root, file));
  for (let at = 0; at < together.length; at += filesPerProcess) {
    const entry = join(folder, `${entries.length}.mjs`);
    const imports = together.slice(at, at + filesPerProcess).map((file) => pathToFileURL(join(root, file)));
    await writeFile(entry, imports.map(({ href }) => `import ${JSON.stringify(href)};\n`).join(""));
    entries.push(entry);
  }
  return entries;
}

interface RunOptions {
  /** Patterns of files that another run has. */
  readonly except?: readonly string[];
  /** Processes at a time. */
  readonly concurrency: number;
  readonly env: NodeJS.ProcessEnv;
  readonly output: NodeJS.WritableStream;
}

async function runTests(
  patterns: readonly string[],
  { except = [], concurrency, env, output }: RunOptions,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "clew-test-"));
  let ended = 0;
  const events = run({
    cwd: root,
    // In this order: `randomSeed` would change it.
    files: [...(await entriesOf(patterns, except, folder))],
    execArgv: [`--test-random-seed=${seed}`, `--test-timeout=${testTimeoutMs}`],
    timeout: processTimeoutMs,
    concurrency,
    env,
  });
  events.on("test:pass", ({ details, skip }) => {
    if (details.type === "suite" || skip !== undefined) return;
    ended += 1;
    passed += 1;
  });
  events.on("test:fail", ({ details }) => {
    if (details.type === "suite") return;
    ended += 1;
    failed += 1;
  });
  await pipeline(events.compose(spec), output, { end: output !== process.stdout });
  await rm(folder, { recursive: true });
  if (ended > 0) return;
  console.log(`No tests ran of ${patterns.join(", ")}.`);
  failed += 1;
}

async function runOnPostgres(
  patterns: readonly string[],
  options: Pick<RunOptions, "concurrency" | "output">,
): Promise<void> {
  const server = await openTestServer();
  const pooler = mode === "pgbouncer" ? await openPooler(server.url) : null;
  const env: NodeJS.ProcessEnv = { ...process.env, TEST_DATABASE_URL: server.url };
  if (pooler !== null) env.TEST_POOLER_PORT = String(pooler.port);
  options.output.write(`The following tests use PostgreSQL${pooler === null ? "" : " behind pgbouncer"}.\n`);
  try {
    await runTests(patterns, { ...options, env });
  } finally {
    await pooler?.stop();
    await server.stop();
  }
}

/** What depends on the database and then what mostly waits, while the other tests run: their reports come after. */
async function runBothShares(): Promise<void> {
  const reports = [new PassThrough(), new PassThrough()] as const;
  const beside = async () => {
    await runOnPostgres(onBoth, { concurrency: 1, output: reports[0] });
    await runTests(waiting, { concurrency: 1, env: process.env, output: reports[1] });
  };
  const [written] = await Promise.all([
    Promise.all(reports.map((report) => buffer(report))),
    runTests([everything], { except: waiting, concurrency: 2, env: process.env, output: process.stdout }),
    beside(),
  ]);
  for (const report of written) process.stdout.write(report);
}

// Many processes run tests, and many of those start a Clew: they share most of the compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules", ".cache", "compiled");

const everything = "{packages,test,bench,scripts}/**/*.test.ts";
console.log(`Order of the tests: TEST_SEED=${seed}`);
if (mode === "postgres" || mode === "pgbouncer") {
  await runOnPostgres([everything], { concurrency: 2, output: process.stdout });
} else {
  runChecks();
  await runBothShares();
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
