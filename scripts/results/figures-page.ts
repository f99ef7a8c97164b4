import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Results as GraphResults } from "../../bench/graph/results.ts";
import { type Program, programs } from "../programs.ts";
import { commitsSince, type Result, readResults } from "./results.ts";

const root = join(import.meta.dirname, "../..");

/** Returns docs/figures.md. What it says about age is true of the commit at which it is written. */
export function writeFiguresPage(): string {
  const kept = Object.entries(programs).flatMap(([command, choices]) =>
    Object.entries(choices).flatMap(([name, program]) => describeRuns(command, name, program)),
  );
  return `# Figures and when they were measured

Each figure of this project, with the day, the machine, the commit and the command. A figure says nothing about code that is newer than it: *commits since* counts the changes of \`packages\` after the
measurement, as of the day when this page was written. \`npm run docs\` writes it from the results that are kept beside the programs. \`RECORD=1\` keeps one more:

<!-- not run: takes minutes -->
\`\`\`sh
RECORD=1 npm run campaign kill-sync
\`\`\`

## Kept results

The latest run of each command; the file beside the program has the earlier ones. *Load* is the load average over one minute, at the start and at the end: above the number of cores, times are too long.

${kept.length === 0 ? "None yet.\n" : kept.join("\n")}
### bench graph

${graphFigures()}

## Pages with figures

Figures with their circumstances in words. Most are from before commits were recorded; the age of those is counted from their day.

| page | measured on | commit | commits since |
|---|---|---|---:|
${proseFigures().join("\n")}
`;
}

/** A section for a program, with the latest run of each of its commands; nothing if none was kept. */
function describeRuns(command: string, name: string, { file }: Program): readonly string[] {
  const latest = new Map(readResults(file).map((result) => [result.command, result]));
  if (latest.size === 0) return [];
  return [`### ${command} ${name}\n`, ...[...latest.values()].map(describeRun)];
}

function describeRun(result: Result): string {
  const { date, commit, machine, node, load, minutes, exitCode, printed } = result;
  return `\`${result.command}\`: ${date}, commit ${commit} (${age(commitsSince({ commit }))}), ${machine}, Node ${node}, load ${load.join(" to ")}, ${minutes} min, exit code ${exitCode}:

\`\`\`text
${printed.join("\n")}
\`\`\`
`;
}

/** The figures of the graph, whose results are in a form of their own. */
function graphFigures(): string {
  const file = "bench/graph/results.json";
  const { date, machine, node, seed, loadAverage, sizes } = JSON.parse(
    readFileSync(join(root, file), "utf8"),
  ) as GraphResults;
  const rows = Object.entries(sizes).map(([pages, { clew }]) => {
    const search = clew.timings["search: all kinds"];
    const cells = [
      Number(pages).toLocaleString("en"),
      `${(clew.loadMs / 1000).toFixed(1)} s`,
      `${Math.round(clew.memoryBytes / 1e6)} MB`,
      `${search?.p50} · ${search?.p99} µs`,
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return `\`WRITE_DOCS=1 npm run bench graph\`: ${date} (${age(commitsSince({ day: date }))}), commit not recorded, ${machine}, Node ${node}, seed ${seed}, load ${loadAverage}. [All of them](benchmarks.md).

| pages | from the database to the first answer | memory | search, p50 · p99 |
|---:|---:|---:|---:|
${rows.join("\n")}`;
}

/** A row for each page of prose that says when its figures were measured. */
function proseFigures(): readonly string[] {
  const pages = globSync(["docs/*.md", "bench/*/README.md"], { cwd: root }).sort();
  return pages
    .filter((page) => page !== "docs/figures.md" && page !== "docs/limits-of-our-tests.md")
    .flatMap((page) => {
      const dates = measuredOn(readFileSync(join(root, page), "utf8"));
      const first = dates.at(0);
      const last = dates.at(-1);
      if (first === undefined || last === undefined) return [];
      const days = first.day === last.day ? first.day : `${first.day} to ${last.day}`;
      const commits = dates.flatMap(({ commit }) => commit ?? []);
      const path = page.startsWith("docs/") ? page.slice("docs/".length) : `../${page}`;
      // The oldest figure of a page decides how far it lags behind.
      const since = commitsSince({ day: first.day }) ?? "unknown";
      return [
        `| [${page}](${path}) | ${days} | ${commits.join(", ") || "not recorded"} | ${since} commits |`,
      ];
    });
}

interface Measurement {
  readonly day: string;
  readonly commit: string | null;
}

const months = "January February March April May June July August September October November December".split(
  " ",
);

/** Returns the days of the paragraphs of a text that speak of measuring, earliest first. */
export function measuredOn(text: string): readonly Measurement[] {
  const paragraphs = text.split(/\n\s*\n/).filter((each) => /measured|Node 2\d/i.test(each));
  const found = paragraphs.flatMap((paragraph) => {
    const commit = /commit ([0-9a-f]{7,12})\b/.exec(paragraph)?.[1] ?? null;
    const iso = [...paragraph.matchAll(/\b(20\d\d-\d\d-\d\d)\b/g)].map(([day]) => day);
    const inWords = [...paragraph.matchAll(/\b(\d{1,2}) ([A-Z][a-z]+) (20\d\d)\b/g)].flatMap(
      ([, day = "", month = "", year]) =>
        months.includes(month) ? `${year}-${pad(months.indexOf(month) + 1)}-${day.padStart(2, "0")}` : [],
    );
    return [...iso, ...inWords].map((day) => ({ day, commit }));
  });
  return found.sort((left, right) => left.day.localeCompare(right.day));
}

const pad = (number: number) => String(number).padStart(2, "0");

const age = (commits: number | null) =>
  commits === null ? "unknown commits since" : `${commits} commits since`;

/** Returns a page of figures without what depends on the commit at which it was written. */
export const withoutAges = (page: string) => page.replace(/(\d+|unknown) commits\b/g, "commits");
