import type { FieldError } from "@clew/contract";
import type { Column } from "@clew/provider";
import { fold } from "@clew/text/basics";
import { ApiError } from "../model/api-error.ts";
import { editDistance } from "../model/edit-distance.ts";
import { isJsonList, type Json } from "../model/node.ts";
import { nameOfType, quoted } from "./columns.ts";
import type { RowCondition } from "./matching.ts";

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

/** Searches rows for the values of a condition that the schema does not have as options. */
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

const maxValuesNamed = 5;
const maxOptionsNamed = 20;
/** Longer names are compared by their beginning. */
const comparedUnits = 40;

/**
 * Throws `ApiError` `invalid_request` if conditions have values that are no options.
 *
 * @param isWhole whether all rows were ever read; otherwise other options may follow
 */
export function refuseUnknownOptions(
  unknownOptions: readonly UnknownOptions[],
  columns: readonly Column[],
  isWhole: boolean,
): void {
  const errors = unknownOptions.flatMap((unknown) => {
    const column = columns.find(({ name }) => name === unknown.column);
    return column === undefined ? [] : fieldErrorOf(unknown, column, isWhole);
  });
  if (errors.length > 0) throw new ApiError("invalid_request", "A condition cannot be met.", { errors });
}

/** Names the values and the options; options that are like the first value come first. */
function fieldErrorOf(
  { values, ofRows }: UnknownOptions,
  { name, type, options }: Column,
  isWhole: boolean,
): FieldError {
  const all = nearestFirst(new Map([...ofRows, ...options].map((option) => [fold(option), option])), values);
  const known = all.length === 0 ? "none" : listed(all, maxOptionsNamed);
  const soFar = isWhole ? "" : " found so far";
  return {
    path: "?where",
    message:
      `compares ${quoted(name)}, ${nameOfType(type)}, with ${listed(values, maxValuesNamed)}, ` +
      `not among its options${soFar}: ${known}`,
  };
}

function listed(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return names.slice(0, most).map(quoted).join(", ") + more;
}

/** Sorts options: those that contain the value or are contained in it, then the others by edit distance. */
function nearestFirst(options: ReadonlyMap<string, string>, [value = ""]: readonly string[]): string[] {
  const wanted = fold(value).slice(0, comparedUnits);
  const distanceOf = (folded: string) => {
    const option = folded.slice(0, comparedUnits);
    return option.includes(wanted) || wanted.includes(option) ? 0 : editDistance(wanted, option);
  };
  return [...options]
    .map(([folded, option]) => ({ option, distance: distanceOf(folded) }))
    .sort((a, b) => a.distance - b.distance)
    .map(({ option }) => option);
}
