import { readFile, writeFile } from "node:fs/promises";
import { cpus } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/test-files.ts";
import { areas, filesOf } from "./areas.ts";
import { mutantsOf, sample } from "./mutants.ts";
import { operators } from "./operators.ts";
import { AreaRecord, type Entry, isKilled } from "./record.ts";
import { lowerBound } from "./statistics.ts";
import { equalMutants, holes, isEqual } from "./survivors.ts";

/** The share of mutants that the tests of each area have to kill, for certain (95 %). */
const goal = 0.8;

/** The examined mutants without which a later sample says nothing. */
const fewestOfSample = 30;

/** Remarks on later samples, by area and seed. */
const remarks: Readonly<Record<string, string>> = {
  "gate 2": "tried by hand before, which had led to a test for one of them",
  "sync-decisions 2":
    "a quarter is of files that changed since, and was examined with the tests for the others",
};

interface AreaResult {
  readonly name: string;
  /** The number of mutants that the area has. */
  readonly all: number;
  /** Those of the sample that were examined, the first ones of it. */
  readonly entries: readonly Entry[];
  /** The number of them that were killed when they were examined first. */
  readonly firstKilled: number;
  /** The samples of later seeds. */
  readonly later: readonly LaterSample[];
}

/** The mutants that the sample of a seed has and those of the seeds before it have not. */
interface LaterSample {
  readonly seed: number;
  /** Their first outcomes: no test was written for them then. */
  readonly entries: readonly Entry[];
}

/** The reason why a survivor stays; null if it is open. */
function reasonFor({ file, name }: Entry): string | null {
  const equal = equalMutants[file]?.[name];
  if (equal !== undefined) return `equal: ${equal}`;
  const hole = holes[file]?.[name];
  return hole === undefined ? null : `hole: ${hole}`;
}

function meaningOf(entry: Entry): string {
  return (
    reasonFor(entry) ?? (entry.verdict === "uncovered" ? "*open; no test of the area runs it*" : "*open*")
  );
}

async function resultOf(name: string, seed: number, size: number): Promise<AreaResult> {
  const area = areas[name];
  if (area === undefined) throw new Error(`There is no area ${name}.`);
  const record = new AreaRecord(name);
  const sources = await Promise.all(
    filesOf(area).map(async (file) => ({ file, source: await readFile(join(root, file), "utf8") })),
  );
  const mutants = sources.flatMap(({ file, source }) => mutantsOf(file, source));
  const drawn = sample(mutants, seed, size);
  const entries = drawn.flatMap(({ id }) => record.get(id) ?? []);
  const firstKilled = entries.filter(({ id }) => isKilled(record.first(id) ?? { verdict: "unclear" })).length;
  const known = new Set(drawn.map(({ id }) => id));
  const later: LaterSample[] = [];
  for (let next = seed + 1; ; next += 1) {
    const others = sample(mutants, next, size).filter(({ id }) => !known.has(id));
    const examined = others.flatMap(({ id }) => record.first(id) ?? []);
    if (examined.length < fewestOfSample) break;
    later.push({ seed: next, entries: examined });
    for (const { id } of others) known.add(id);
  }
  return { name, all: mutants.length, entries, firstKilled, later };
}

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

/** The score and its lower bound. */
const scoreOf = (killed: number, size: number): readonly string[] => [
  percent(killed / size),
  percent(lowerBound(killed, size)),
];

/** The score, its lower bound, the bound without mutants that are named as equal, and whether the goal is met. */
function figures(killed: number, size: number, named: number): readonly string[] {
  return [
    ...scoreOf(killed, size),
    `${named}: ${percent(lowerBound(killed, size - named))}`,
    lowerBound(killed, size) >= goal ? "met" : "missed",
  ];
}

function row({ name, all, entries, firstKilled }: AreaResult): string {
  const count = (verdict: Entry["verdict"]) => entries.filter((entry) => entry.verdict === verdict).length;
  const killed = entries.filter(isKilled).length;
  const survivors = entries.filter((entry) => !isKilled(entry));
  const named = survivors.filter(isEqual).length;
  const size = entries.length;
  const cells = [
    name,
    all,
    size,
    count("killed"),
    count("time"),
    survivors.length,
    count("uncovered"),
    ...(size === 0
      ? ["–", "–", "–", "–", "not examined"]
      : [percent(lowerBound(firstKilled, size)), ...figures(killed, size, named)]),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The scores of the samples of later seeds; empty if none was examined. */
function laterTable(results: readonly AreaResult[]): string {
  const rows = results.flatMap(({ name, later }) =>
    later.map(({ seed, entries }) => {
      const killed = entries.filter(isKilled).length;
      const score = scoreOf(killed, entries.length);
      const remark = remarks[`${name} ${seed}`] ?? "";
      return `| ${[name, seed, entries.length, killed, ...score, remark].join(" | ")} |`;
    }),
  );
  if (rows.length === 0) return "";
  return `## Drawn anew

These mutants are in the sample of a later seed, and in none before it. No test had been written for them when they were examined first, which is
the outcome that counts here. Tests were written for survivors of each sample before the next one was drawn.

| area | seed | examined | killed | score | lower bound (95 %) | remark |
|---|---|---|---|---|---|---|
${rows.join("\n")}

`;
}

/** The line that names the areas without an examined mutant. */
function notExamined(results: readonly AreaResult[]): string {
  const names = results.filter(({ entries }) => entries.length === 0).map(({ name }) => name);
  return names.length === 0 ? "" : `**Nothing is known yet of** ${names.join(", ")}.\n\n`;
}

/** Names the areas with survivors that are open, and their numbers. */
function openSurvivors(results: readonly AreaResult[]): string {
  const open = results.flatMap(({ name, entries }) => {
    const count = entries.filter((entry) => !isKilled(entry) && reasonFor(entry) === null).length;
    return count === 0 ? [] : `${name} ${count}`;
  });
  return open.length === 0 ? "All are read." : `Open are: ${open.join(", ")}.`;
}

/** A text as code of Markdown in a cell of a table. */
const code = (text: string) => `\`\` ${text.replaceAll("|", "\\|")} \`\``;

function survivorTable({ name, entries }: AreaResult): string {
  const survivors = entries
    .filter((entry) => !isKilled(entry))
    .sort((one, other) => one.file.localeCompare(other.file) || one.line - other.line);
  if (survivors.length === 0) return "";
  const rows = survivors.map((entry) => {
    const path = entry.file.replace(/^packages\/(?:server\/)?/, "");
    return `| ${path}:${entry.line} | ${code(entry.name)} | ${meaningOf(entry)} |`;
  });
  return `### Survivors of ${name}\n\n| place | change | what it means |\n|---|---|---|\n${rows.join("\n")}\n`;
}

/** Writes docs/mutants.md from the record: for each area the first `size` mutants of the seed's sample. */
export async function writeReport(seed: number, size: number): Promise<void> {
  const results = await Promise.all(Object.keys(areas).map((name) => resultOf(name, seed, size)));
  const entries = results.flatMap((result) => result.entries);
  const days = entries.map(({ at }) => at).sort();
  const commits = [...new Set(entries.map(({ commit }) => commit))];
  const controls = entries.filter(({ control }) => control === true).length;
  const failedControls = entries.filter(({ control }) => control === false).length;
  const [first, last] = [days[0] ?? "–", days.at(-1) ?? "–"];
  const text = `# Mutation score

This page shows what the tests notice. The campaign changes one place of the code at a time, a *mutant*, and runs the tests that run this place. If
one fails, the mutant is *killed*; otherwise it *survived*, and the tests leave that place open.
[Decision 100](decisions/0100-mutants.md) says how and why. \`npm run campaign mutants\` writes this page from its record in \`test/mutants/results\`.

- **When:** ${first === last ? first : `${first} to ${last}`}, commits ${commits.join(", ")}.
- **Machine:** ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, Node ${process.version}, with others at work on it.
- **Command:** \`SEED=${seed} SAMPLE=${size} npm run campaign mutants\`. It continues where it ended, and prints nothing new if all is done.
- **Controls:** after one kill in sixteen, and each by time or by the end of the process, the same tests ran unchanged: ${controls} times they passed, ${failedControls} times not. A kill whose control
  fails counts as survived.

| area | mutants | examined | killed | killed by time | survived | of those, no test runs the place | lower bound at first | score | lower bound (95 %) | named as equal, and the bound without them | goal of ${100 * goal} %, in this sample |
|---|---|---|---|---|---|---|---|---|---|---|---|
${results.map(row).join("\n")}

${notExamined(results)}An area with fewer examined mutants than ${size}, or than it has, is not finished: its bound is that of the part that was examined, which is random too.
Only mutants of the code as it is now count. Those of a file that changed are drawn again.

Tests were written for survivors of these samples, and then the survivors were examined again. So the score is better than that of mutants that were not drawn:
for those, the *lower bound at first* is the careful figure. A new seed measures what the tests have become.

${laterTable(results)}## What it shows

A killed mutant shows that one test depends on that place, not that the place is right. The score is a lower bound in two ways: only the tests near an area run, for
a mutant those nearest to it, and mutants that change nothing a user could notice are in it.

Kinds of changes: ${Object.keys(operators).join(", ")}. Types, imports, lines of logs and texts for people are never changed.

## Survivors

Survivors are read one by one: a hole gets a test, and what stays has its meaning here. *Equal* means that the change alters nothing that Clew promises.
A *hole* is known and left. An *open* one may be a hole or equal: it has not been read yet. ${openSurvivors(results)}

${results.map(survivorTable).filter(Boolean).join("\n")}`;
  await writeFile(join(root, "docs/mutants.md"), text);
}
