import { fold } from "@clew/graph";
import { isJsonList, type Json } from "../../model/node.ts";
import type { RowCondition } from "./condition.ts";

/** The values of a condition that are options of neither the schema nor any row (GRAPH-23). */
export interface UnknownOptions {
  readonly column: string;
  /** The values, as the condition has them. */
  readonly values: readonly string[];
  /** Options that rows have, each once; a bounded number of them. */
  readonly ofRows: readonly string[];
}

/** Options of rows that are remembered, to be named in an error. */
const maxOptions = 1000;

/** Looks in rows for the values of a condition that the schema does not have as options. */
export class OptionCensus {
  readonly column: string;
  readonly #whole: string;
  /** The values that were not found yet, by their folded form. */
  readonly #missing: Map<string, string>;
  readonly #ofRows = new Map<string, string>();
  #isWholeFound = false;

  constructor(column: string, { whole, values }: NonNullable<RowCondition["unlisted"]>) {
    this.column = column;
    this.#whole = fold(whole);
    this.#missing = new Map(values.map((value) => [fold(value), value]));
  }

  /** Adds the cell of a row. */
  add(cell: Json): void {
    if (isJsonList(cell)) for (const item of cell) this.add(item);
    if (typeof cell !== "string" || cell === "") return;
    const folded = fold(cell);
    this.#missing.delete(folded);
    if (folded === this.#whole) this.#isWholeFound = true;
    if (this.#ofRows.size < maxOptions) this.#ofRows.set(folded, cell);
  }

  /** The values that no row has, after all rows were added; null if there are none. */
  unknown(): UnknownOptions | null {
    if (this.#isWholeFound || this.#missing.size === 0) return null;
    return { column: this.column, values: [...this.#missing.values()], ofRows: [...this.#ofRows.values()] };
  }
}
