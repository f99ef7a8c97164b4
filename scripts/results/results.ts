import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

/** A whole run of a program: when, where and of what, and the figures that it printed. */
export interface Result {
  /** The day (UTC). */
  readonly date: string;
  /** The commit that ran, with a `+` after it if files had changed since. */
  readonly commit: string;
  /** The command, with the variables of the environment that were set for it. */
  readonly command: string;
  readonly machine: string;
  /** The version of Node. */
  readonly node: string;
  /** The load averages over one minute at the start and at the end: how much else the machine did. */
  readonly load: readonly [number, number];
  /** From the start to the end. */
  readonly minutes: number;
  readonly exitCode: number;
  /** The last paragraph that the program printed. */
  readonly printed: readonly string[];
}

const root = join(import.meta.dirname, "../..");

/** The processors, memory and system of this machine. */
const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 1e9)} GB, ${process.platform}`;

/** Returns the file with the results of a program, which is beside it: a line of JSON for each run, in their order. */
const resultsFile = (program: string) => program.replace(/(\.campaign)?\.ts$/, ".results.jsonl");

/** The results of a program, first to last; none if no run was kept. */
export function readResults(program: string, folder = root): readonly Result[] {
  const file = join(folder, resultsFile(program));
  if (!existsSync(file)) return [];
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Result);
}

/** Starts to measure a run, and returns what keeps it at its end, with all that it printed. */
export function beginResult(program: string, command: string, folder = root) {
  const start = performance.now();
  const loadAtStart = loadavg()[0] ?? 0;
  const commit = currentCommit();
  return (output: string, exitCode: number): void => {
    const result: Result = {
      date: new Date().toISOString().slice(0, 10),
      commit,
      command,
      machine,
      node: process.versions.node,
      load: [rounded(loadAtStart), rounded(loadavg()[0] ?? 0)],
      minutes: rounded((performance.now() - start) / 60_000),
      exitCode,
      printed: lastParagraph(output),
    };
    appendFileSync(join(folder, resultsFile(program)), `${JSON.stringify(result)}\n`);
  };
}

/** The most lines of a result. Above it, the beginning of the paragraph is left out. */
const mostLines = 24;

/** Returns the lines after the last empty line, with paths below the root, and not more than a page can show. */
function lastParagraph(output: string): readonly string[] {
  const paragraph =
    output
      .replaceAll(`${pathToFileURL(root).href}/`, "")
      .replaceAll(`${root}/`, "")
      .trim()
      .split(/\n\s*\n/)
      .at(-1) ?? "";
  return paragraph.split("\n").slice(-mostLines);
}

/**
 * Returns the number of commits to `packages` since a commit or a day, up to what is checked out; null if git does not know
 * the commit.
 */
export function commitsSince(since: { readonly commit: string } | { readonly day: string }): number | null {
  const range =
    "commit" in since
      ? [`${since.commit.replace("+", "")}..HEAD`]
      : [`--since=${since.day}T23:59:59Z`, "HEAD"];
  try {
    return Number(git("rev-list", "--count", ...range, "--", "packages", ":!packages/dashboard/dist"));
  } catch {
    return null;
  }
}

function currentCommit(): string {
  const changed = git("status", "--porcelain", "--untracked-files=no") !== "";
  return `${git("rev-parse", "--short=8", "HEAD")}${changed ? "+" : ""}`;
}

const git = (...args: readonly string[]) =>
  execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

const rounded = (value: number) => Math.round(value * 10) / 10;
