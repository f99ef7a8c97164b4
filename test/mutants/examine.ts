import { readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { root } from "../../scripts/test-files.ts";
import { type Area, areas, filesOf, testsOf } from "./areas.ts";
import { type Baseline, Baselines, hasRun } from "./coverage.ts";
import { type Mutant, mutantsOf } from "./mutants.ts";
import { type Outcome, runTests } from "./test-run.ts";

/** The outcome for a mutant. */
export interface Verdict {
  /**
   * `uncovered`: no test runs the place. `unclear`: not all tests ran, or they fail unchanged too. Both count as survived.
   * `time`: the tests took too long, which counts as killed.
   */
  readonly verdict: "killed" | "time" | "survived" | "uncovered" | "unclear";
  /** The test file that killed it, and the name of the test; empty if the process ended by itself. */
  readonly by?: string;
  readonly test?: string;
  /** Whether the same tests then passed unchanged, for one kill in sixteen and each without a failed test. */
  readonly control?: boolean;
  /** For a mutant that survived: the number of test files that ran, and of those that run the place. */
  readonly ran?: number;
  readonly covering?: number;
}

/** Seconds of processor time for a run: as many times what its files take unchanged, and some for the start. */
const slack = { factor: 3, seconds: 10 };

const secondsOf = (runs: readonly Baseline[]) => runs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0);

/** The first runs that take no more than `mostSeconds`, and at least one. */
function affordable(runs: readonly Baseline[], mostSeconds: number): readonly Baseline[] {
  const end = runs.findIndex((_, index) => index > 0 && secondsOf(runs.slice(0, index + 1)) > mostSeconds);
  return end < 0 ? runs : runs.slice(0, end);
}

/**
 * Runs test files up to the first failure, the first one alone: most mutants that never end do so in it, and its time is
 * short.
 */
async function runInTwo(runs: readonly Baseline[], mutant?: Mutant): Promise<Outcome> {
  const groups = [runs.slice(0, 1), runs.slice(1)].filter((group) => group.length > 0);
  let outcome: Outcome = { kind: "passed", cpuSeconds: 0 };
  for (const group of groups) {
    const cpuSeconds = slack.factor * secondsOf(group) + slack.seconds;
    outcome = await runTests({ files: group.map(({ test }) => test), mutant, cpuSeconds });
    if (outcome.kind !== "passed") break;
  }
  return outcome;
}

/** The contents of files, relative to the root. */
async function contentsOf(files: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const contents = await Promise.all(files.map((file) => readFile(join(root, file), "utf8")));
  return new Map(files.map((file, index) => [file, contents[index] ?? ""]));
}

/** Examines the mutants of one area by its tests. */
export class Examination {
  readonly mutants: readonly Mutant[];
  readonly #area: Area;
  readonly #baselines: Baselines;
  #runs: readonly Baseline[] = [];
  /** The mutants that each test file has killed, by the file that they change. */
  readonly #kills = new Map<string, number>();

  private constructor(area: Area, sources: ReadonlyMap<string, string>, baselines: Baselines) {
    this.#area = area;
    this.mutants = [...sources].flatMap(([file, source]) => mutantsOf(file, source));
    this.#baselines = baselines;
  }

  /** Reads the files of an area. Unchanged runs are kept in the folder `cache`, for all areas. */
  static async open(area: Area, cache: string): Promise<Examination> {
    const sources = await contentsOf(filesOf(area));
    const others = await contentsOf(Object.values(areas).flatMap(filesOf));
    return new Examination(area, sources, new Baselines(cache, new Map([...others, ...sources])));
  }

  /** Runs every test file of the area unchanged. One that fails is left out. */
  async runUnchanged(note: (line: string) => void = () => {}): Promise<void> {
    const runs: Baseline[] = [];
    for (const test of testsOf(this.#area)) {
      const run = await this.#baselines.of(test);
      if (run !== null) runs.push(run);
      note(`unchanged: ${test}, ${run === null ? "failed" : `${run.cpuSeconds.toFixed(1)} s`}`);
    }
    this.#runs = runs;
  }

  /** Counts a kill of an earlier run: tests that kill many mutants of a file run early. */
  noteKill(file: string, by: string): void {
    const key = `${file} ${by}`;
    this.#kills.set(key, (this.#kills.get(key) ?? 0) + 1);
  }

  /** Runs the tests that run the mutant's place up to the first failure: those that take `mostSeconds` unchanged. */
  async examine(mutant: Mutant, mostSeconds: number): Promise<Verdict> {
    const covering = this.#runs.filter((run) => hasRun(run, mutant.file, mutant.start));
    if (covering.length === 0) return { verdict: "uncovered" };
    const chosen = affordable(this.#bestFirst(mutant.file, covering), mostSeconds);
    const outcome = await runInTwo(chosen, mutant);
    if (outcome.kind === "passed")
      return { verdict: "survived", ran: chosen.length, covering: covering.length };
    if (outcome.kind !== "unclear") this.noteKill(mutant.file, outcome.file);
    const { file: by, test } = outcome;
    if (outcome.kind === "unclear") return { verdict: "unclear", by };
    const verdict = outcome.kind === "failed" ? "killed" : "time";
    // A busy machine makes tests late and ends processes, too.
    const isSure = verdict === "killed" && test !== "";
    if (isSure && !mutant.id.startsWith("0")) return { verdict, by, test };
    const same = chosen.slice(0, chosen.findIndex((run) => run.test === by) + 1);
    const control = (await runInTwo(same)).kind === "passed";
    return { verdict: control ? verdict : "unclear", by, test, control };
  }

  /** The runs in the order of the kills that can be expected for a second of processor time. */
  #bestFirst(file: string, runs: readonly Baseline[]): readonly Baseline[] {
    const name = basename(file, ".ts");
    const expected = ({ test, cpuSeconds }: Baseline) => {
      const hasName = basename(test, ".test.ts") === name ? 2 : 0;
      const isNear = dirname(test) === dirname(file) ? 0.5 : 0;
      const kills = this.#kills.get(`${file} ${test}`) ?? 0;
      return (0.1 + hasName + isNear + kills) / cpuSeconds;
    };
    return runs.toSorted((one, other) => expected(other) - expected(one));
  }
}
