import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { pathToFileURL } from "node:url";
import { joinDependencies } from "../../scripts/joined-dependencies.ts";
import { root } from "../../scripts/test-files.ts";
import type { Mutant } from "./mutants.ts";

/** How the tests of a run ended. */
export type Outcome =
  | { readonly kind: "passed"; readonly cpuSeconds: number }
  /** `test` is empty if the process ended by itself, with an error. */
  | { readonly kind: "failed" | "too long"; readonly file: string; readonly test: string }
  /** The process ended without an error, but not all tests ran. */
  | { readonly kind: "unclear"; readonly file: string; readonly test: "" };

interface Run {
  /** Test files below the root, in the order in which they run. */
  readonly files: readonly string[];
  readonly mutant?: Mutant | undefined;
  /** Seconds of processor time after which a process of the run is ended. */
  readonly cpuSeconds: number;
  /** The folder to which V8 writes which code ran. */
  readonly coverage?: string;
}

/** The last message of a test process: the processor time of all tests in seconds, or the test that failed. */
interface Said {
  readonly passed?: number;
  readonly failed?: string;
  /** The path of the test's file. */
  readonly file?: string;
  readonly isTimeout?: boolean;
}

/** Milliseconds after which a test fails. The machine may be busy with other things. */
const testTimeoutMs = 60_000;

/** Seconds of wall time for each second of processor time that a run may take. */
const wallFactor = 8;

const script = (name: string) => pathToFileURL(join(import.meta.dirname, name)).href;

/**
 * The source of a module that loads test files one after the other: each only after the tests of those before it have
 * run, so that a failure of an early one costs nothing of the later ones. A test lasts while a file is loaded: the process
 * would end once the tests that it knows have run. It says which file is next, and at the end that all ran.
 */
function entryFor(files: readonly string[]): string {
  const urls = files.map((file) => pathToFileURL(join(root, file)).href);
  return `import { writeSync } from "node:fs";
import { test } from "node:test";
let loading;
const earlierTestsRan = () => new Promise((resolve) => test("loads a test file", () => {
  loading = Promise.withResolvers();
  resolve();
  return loading.promise;
}));
for (const [index, url] of ${JSON.stringify(urls)}.entries()) {
  await earlierTestsRan();
  writeSync(3, "file " + index + "\\n");
  await import(url);
  loading.resolve();
}
await earlierTestsRan();
test("all files ran", () => {
  const { user, system } = process.cpuUsage();
  writeSync(3, JSON.stringify({ passed: (user + system) / 1e6 }) + "\\n");
});
loading.resolve();
`;
}

/** Runs test files in one process of their own, up to the first failure. */
export async function runTests({ files, mutant, cpuSeconds, coverage }: Run): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "clew-mutant-"));
  const entry = join(folder, "entry.mjs");
  await writeFile(entry, entryFor(files));
  const nodeOptions = [await joinDependencies()];
  if (mutant !== undefined) nodeOptions.push(`--import=${script("apply-mutant.ts")}?${queryOf(mutant)}`);
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_COMPILE_CACHE: join(root, "node_modules", ".cache", "compiled"),
    // Threads, and the processes that tests start, are changed too.
    NODE_OPTIONS: nodeOptions.join(" "),
    // A test of the campaign itself runs below Node's runner, which would take the place of the reporter.
    NODE_TEST_CONTEXT: undefined,
  };
  if (coverage !== undefined) env.NODE_V8_COVERAGE = coverage;
  const options = [
    `--import=${pathToFileURL(join(root, "scripts/test-process.ts")).href}`,
    `--test-timeout=${testTimeoutMs}`,
    "--test-force-exit",
    `--test-reporter=${script("first-failure.ts")}`,
  ];
  // The kernel counts the processor time.
  const limited = [`ulimit -t ${Math.ceil(cpuSeconds)}; exec "$0" "$@"`, process.execPath, ...options, entry];
  const child = spawn("sh", ["-c", ...limited], {
    cwd: root,
    env,
    // A group of its own, so that nothing that a test has started is left.
    detached: true,
    stdio: ["ignore", "ignore", "ignore", "pipe"],
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on("error", reject);
    child.on("exit", (code, signal) => resolve({ code, signal }));
  });
  const end = () => endGroup(child.pid);
  // A campaign that is ended leaves nothing behind.
  process.once("exit", end);
  let isLate = false;
  const timer = setTimeout(
    () => {
      isLate = true;
      end();
    },
    cpuSeconds * wallFactor * 1000,
  );
  const messages = text(child.stdio[3] as Readable);
  const { code, signal } = await ended;
  clearTimeout(timer);
  end();
  process.off("exit", end);
  const lines = (await messages).trimEnd().split("\n");
  await rm(folder, { recursive: true });
  // The report of a failure may come after the tests that follow it.
  const last = lines.at(-1) ?? "";
  const said: Said = last.startsWith("{") ? JSON.parse(last) : {};
  if (said.passed !== undefined && code === 0) return { kind: "passed", cpuSeconds: said.passed };
  const started = lines.findLast((line) => line.startsWith("file "));
  const running = files[Number(started?.slice("file ".length))] ?? files[0] ?? "";
  const file = files.find((each) => join(root, each) === said.file) ?? running;
  if (code === 0) return { kind: "unclear", file, test: "" };
  const isTooLong = isLate || said.isTimeout === true || signal === "SIGXCPU";
  return { kind: isTooLong ? "too long" : "failed", file, test: said.failed ?? "" };
}

function queryOf({ file, start, end, text: changed }: Mutant): string {
  const url = pathToFileURL(join(root, file)).href;
  return new URLSearchParams({ url, start: String(start), end: String(end), text: changed }).toString();
}

/** Ends a process and those that it started. */
function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch (error) {
    // It has ended.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
