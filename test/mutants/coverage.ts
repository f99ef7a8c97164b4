import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { root } from "../../scripts/test-files.ts";
import { runTests } from "./test-run.ts";

/** Parts of a file that ran: pairs of a start and an end, in ascending order. */
type Ranges = readonly (readonly [number, number])[];

/** The code that one test file runs, and the time that this takes. */
export interface Baseline {
  readonly test: string;
  /** Processor time of the run in seconds. */
  readonly cpuSeconds: number;
  /** The code that ran, by file. */
  readonly ran: Readonly<Record<string, Ranges>>;
}

/** Part of what V8 writes for each process and thread. Inner ranges come after those that they are in. */
interface V8Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly ranges: readonly {
        readonly startOffset: number;
        readonly endOffset: number;
        readonly count: number;
      }[];
    }[];
  }[];
}

/** Seconds of processor time that an unchanged test file may take. */
const longestBaseline = 300;

const digest = (text: string) => createHash("sha256").update(text).digest("hex");

/** The marks of a file's characters that ran, merged into `marks`. */
function mark(marks: Uint8Array, functions: V8Coverage["result"][number]["functions"]): void {
  const own = new Uint8Array(marks.length);
  const ranges = functions.flatMap((each) => each.ranges);
  ranges.sort((one, other) => one.startOffset - other.startOffset || other.endOffset - one.endOffset);
  for (const { startOffset, endOffset, count } of ranges) own.fill(count > 0 ? 1 : 0, startOffset, endOffset);
  for (const [index, value] of own.entries()) if (value === 1) marks[index] = 1;
}

function rangesOf(marks: Uint8Array): Ranges {
  const found: [number, number][] = [];
  let start = -1;
  for (let index = 0; index <= marks.length; index += 1) {
    const isMarked = marks[index] === 1;
    if (isMarked && start < 0) start = index;
    if (isMarked || start < 0) continue;
    found.push([start, index]);
    start = -1;
  }
  return found;
}

/** The unchanged runs of test files, kept in a folder as long as the test and the examined files do not change. */
export class Baselines {
  readonly #folder: string;
  /** The contents of the examined files. */
  readonly #sources: ReadonlyMap<string, string>;

  constructor(folder: string, sources: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#sources = sources;
  }

  /** The unchanged run of a test file. Throws if it fails: it then says nothing about changes. */
  async of(test: string): Promise<Baseline> {
    const contents = await readFile(join(root, test), "utf8");
    const key = digest(JSON.stringify([test, contents, ...this.#sources])).slice(0, 24);
    const kept = join(this.#folder, `${key}.json`);
    const known = await readFile(kept, "utf8").catch(() => null);
    if (known !== null) return JSON.parse(known) as Baseline;
    const baseline = await this.#run(test);
    await mkdir(this.#folder, { recursive: true });
    await writeFile(kept, JSON.stringify(baseline));
    return baseline;
  }

  async #run(test: string): Promise<Baseline> {
    const folder = await mkdtemp(join(tmpdir(), "clew-coverage-"));
    try {
      const outcome = await runTests({ files: [test], cpuSeconds: longestBaseline, coverage: folder });
      if (outcome.kind !== "passed") throw new Error(`${test} ${outcome.kind} unchanged: ${outcome.test}`);
      return { test, cpuSeconds: outcome.cpuSeconds, ran: await this.#read(folder) };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async #read(folder: string): Promise<Record<string, Ranges>> {
    const marks = new Map<string, Uint8Array>();
    const files = new Map([...this.#sources].map(([file]) => [pathToFileURL(join(root, file)).href, file]));
    for (const name of globSync("*.json", { cwd: folder })) {
      const written = await readFile(join(folder, name), "utf8");
      const { result } = JSON.parse(written) as V8Coverage;
      for (const { url, functions } of result) {
        const file = files.get(url);
        if (file === undefined) continue;
        const of = marks.get(file) ?? new Uint8Array(this.#sources.get(file)?.length ?? 0);
        marks.set(file, of);
        mark(of, functions);
      }
    }
    return Object.fromEntries([...marks].map(([file, of]) => [file, rangesOf(of)]));
  }
}

/** Returns whether a run executed the code at a position. */
export const hasRun = ({ ran }: Baseline, file: string, position: number): boolean =>
  (ran[file] ?? []).some(([start, end]) => start <= position && position < end);
