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
  /** The digest of the test file. */
  readonly digest: string;
  /** Processor time of the run in seconds. */
  readonly cpuSeconds: number;
  /** The code that ran, by file, with the digest of that file. */
  readonly ran: Readonly<Record<string, { readonly digest: string; readonly ranges: Ranges }>>;
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

const digest = (text: string) => createHash("sha256").update(text).digest("hex").slice(0, 24);

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

/** The unchanged runs of test files. One is kept in a folder as long as the test and the files that it ran do not change. */
export class Baselines {
  readonly #folder: string;
  /** The contents of the files whose code is looked for. */
  readonly #sources: ReadonlyMap<string, string>;
  readonly #digests: ReadonlyMap<string, string>;

  constructor(folder: string, sources: ReadonlyMap<string, string>) {
    this.#folder = folder;
    this.#sources = sources;
    this.#digests = new Map([...sources].map(([file, source]) => [file, digest(source)]));
  }

  /** The unchanged run of a test file; null if it fails twice: it then says nothing about changes. */
  async of(test: string): Promise<Baseline | null> {
    const now = digest(await readFile(join(root, test), "utf8"));
    const path = join(this.#folder, `${digest(test)}.json`);
    const kept = await readFile(path, "utf8").catch(() => null);
    if (kept !== null) {
      const baseline = JSON.parse(kept) as Baseline;
      if (baseline.digest === now && this.#isCurrent(baseline)) return baseline;
    }
    const baseline = (await this.#run(test, now)) ?? (await this.#run(test, now));
    if (baseline === null) return null;
    await mkdir(this.#folder, { recursive: true });
    await writeFile(path, JSON.stringify(baseline));
    return baseline;
  }

  #isCurrent({ ran }: Baseline): boolean {
    return Object.entries(ran).every(([file, { digest: then }]) => this.#digests.get(file) === then);
  }

  async #run(test: string, testDigest: string): Promise<Baseline | null> {
    const folder = await mkdtemp(join(tmpdir(), "clew-coverage-"));
    try {
      const outcome = await runTests({ files: [test], cpuSeconds: longestBaseline, coverage: folder });
      if (outcome.kind !== "passed") return null;
      return { test, digest: testDigest, cpuSeconds: outcome.cpuSeconds, ran: await this.#read(folder) };
    } finally {
      await rm(folder, { recursive: true });
    }
  }

  async #read(folder: string): Promise<Baseline["ran"]> {
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
    const ran = [...marks].map(
      ([file, of]) => [file, { digest: this.#digests.get(file) ?? "", ranges: rangesOf(of) }] as const,
    );
    return Object.fromEntries(ran);
  }
}

/** Returns whether a run executed the code at a position. */
export const hasRun = ({ ran }: Baseline, file: string, position: number): boolean =>
  (ran[file]?.ranges ?? []).some(([start, end]) => start <= position && position < end);
