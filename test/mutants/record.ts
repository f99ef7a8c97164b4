import { appendFileSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Verdict } from "./examine.ts";
import type { Mutant } from "./mutants.ts";

/** One line of the record: a mutant, the outcome for it, and when. */
export interface Entry extends Verdict, Pick<Mutant, "id" | "file" | "line" | "name"> {
  /** The day (UTC). */
  readonly at: string;
  /** The commit whose tests ran. */
  readonly commit: string;
}

/** Returns whether the tests noticed the change. */
export const isKilled = ({ verdict }: Pick<Verdict, "verdict">) => verdict === "killed" || verdict === "time";

/**
 * The outcomes for the mutants of an area: a file with a line of JSON for each that was examined, in that order. A campaign
 * that ends early continues after the last line. The last line about a mutant counts.
 */
export class AreaRecord {
  readonly #file: string;
  readonly #entries = new Map<string, Entry>();
  readonly #first = new Map<string, Entry>();

  constructor(area: string, folder = join(import.meta.dirname, "results")) {
    this.#file = join(folder, `${area}.jsonl`);
    mkdirSync(dirname(this.#file), { recursive: true });
    for (const line of this.#lines()) {
      const entry = JSON.parse(line) as Entry;
      this.#keep(entry);
    }
  }

  /** The lines that are whole: the last one may not be if the campaign was killed. */
  #lines(): readonly string[] {
    try {
      return readFileSync(this.#file, "utf8").split("\n").slice(0, -1);
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
      throw error;
    }
  }

  #keep(entry: Entry): void {
    this.#entries.set(entry.id, entry);
    if (!this.#first.has(entry.id)) this.#first.set(entry.id, entry);
  }

  get(id: string): Entry | undefined {
    return this.#entries.get(id);
  }

  /** The outcome before anybody knew of the mutant: no test was written for it. */
  first(id: string): Entry | undefined {
    return this.#first.get(id);
  }

  add(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`);
    this.#keep(entry);
  }
}
