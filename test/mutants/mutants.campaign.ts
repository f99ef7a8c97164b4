import { spawnSync } from "node:child_process";
import { setPriority } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/test-files.ts";
import { areas } from "./areas.ts";
import { Examination } from "./examine.ts";
import { sample } from "./mutants.ts";
import { AreaRecord, isKilled } from "./record.ts";
import { writeReport } from "./report.ts";
import { lowerBound } from "./statistics.ts";
import { isEqual } from "./survivors.ts";

/**
 * Changes one place of Clew's code at a time and looks whether a test fails (docs/decisions/0100-mutants.md):
 * `AREA=auth SAMPLE=400 SEED=1 npm run campaign mutants`. AREA may list several, by default all. Mutants that the record in
 * `results` has are not examined again, so an interrupted campaign continues. `AGAIN=survived` examines those again that
 * survived, but for those named as equal: after tests were written, and with more of the tests. `MOST=120` sets the
 * seconds of tests for a mutant. `REPORT=1` examines nothing. Each call writes docs/mutants.md.
 */
const chosen = process.env.AREA?.split(",") ?? Object.keys(areas);
const seed = Number(process.env.SEED ?? 1);
const size = Number(process.env.SAMPLE ?? 400);
const again = process.env.AGAIN === "survived";
/** Seconds of processor time that the tests of a mutant take unchanged, at most. Of survivors, which are few, more are asked. */
const mostSeconds = Number(process.env.MOST ?? (again ? 240 : 30));
const onlyReport = process.env.REPORT === "1";

const git = (...args: readonly string[]) =>
  spawnSync("git", args, { cwd: root, encoding: "utf8" }).stdout.trim();
const commit = git("rev-parse", "--short", "HEAD");

// Ends the tests that run, too.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
// It takes long, and others use the machine.
setPriority(19);
if (!onlyReport) for (const area of chosen) await examineArea(area);
await writeReport(seed, size);

async function examineArea(name: string): Promise<void> {
  const area = areas[name];
  if (area === undefined) throw new Error(`There is no area ${name}: use ${Object.keys(areas).join(", ")}.`);
  const examination = await Examination.open(area, join(root, "build", "mutants"));
  const record = new AreaRecord(name);
  const drawn = sample(examination.mutants, seed, size);
  console.log(`${name}: ${examination.mutants.length} mutants, ${drawn.length} of them in the sample`);
  const isDone = (id: string) => {
    const entry = record.get(id);
    return entry !== undefined && (isKilled(entry) || isEqual(entry) || !again);
  };
  const left = drawn.filter(({ id }) => !isDone(id));
  if (left.length > 0) await examination.runUnchanged(console.log);
  for (const { id } of drawn) {
    const entry = record.get(id);
    if (entry?.by !== undefined) examination.noteKill(entry.file, entry.by);
  }
  for (const mutant of left) {
    const { id, file, line, name: change } = mutant;
    const verdict = await examination.examine(mutant, mostSeconds);
    record.add({
      id,
      file,
      line,
      name: change,
      ...verdict,
      at: new Date().toISOString().slice(0, 10),
      commit,
    });
    console.log(`${verdict.verdict}: ${file}:${line} ${change}${verdict.by ? ` (${verdict.by})` : ""}`);
  }
  const verdicts = drawn.flatMap(({ id }) => record.get(id) ?? []);
  const killed = verdicts.filter(isKilled).length;
  const bound = (100 * lowerBound(killed, verdicts.length)).toFixed(1);
  console.log(`${name}: ${killed} of ${verdicts.length} killed; lower bound ${bound} %`);
}
