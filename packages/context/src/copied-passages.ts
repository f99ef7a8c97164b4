import type { RankedPage } from "./scores.ts";

/** Words of a run that is compared. */
const runWords = 5;
/** A passage is a copy if another one has this share of its runs, and it has this share of the other's. */
const commonShare = 0.85;

/** Finds passages that nearly equal one that is shown from another page: versions of a page have most of their text in common. */
export class CopiedPassages {
  readonly #added: { readonly page: RankedPage; readonly runs: number }[] = [];
  /** The added passages that have each run of words. */
  readonly #byRun = new Map<string, number[]>();

  add(text: string, page: RankedPage): void {
    const runs = runsOf(text);
    const number = this.#added.push({ page, runs: runs.size }) - 1;
    for (const run of runs) {
      const known = this.#byRun.get(run);
      if (known === undefined) this.#byRun.set(run, [number]);
      else known.push(number);
    }
  }

  /** The page that shows nearly this text; null if none does but `page` itself. */
  originalOf(text: string, page: RankedPage): RankedPage | null {
    const runs = runsOf(text);
    const common = new Map<number, number>();
    for (const run of runs)
      for (const number of this.#byRun.get(run) ?? []) common.set(number, (common.get(number) ?? 0) + 1);
    for (const [number, count] of common) {
      const added = this.#added[number];
      if (added === undefined || added.page === page) continue;
      if (count >= commonShare * runs.size && count >= commonShare * added.runs) return added.page;
    }
    return null;
  }
}

/** The runs of words of a text; a shorter text is one run. */
function runsOf(text: string): ReadonlySet<string> {
  const words = text.split(/\s+/);
  if (words.length <= runWords) return new Set([words.join(" ")]);
  return new Set(words.slice(runWords - 1).map((_, index) => words.slice(index, index + runWords).join(" ")));
}
