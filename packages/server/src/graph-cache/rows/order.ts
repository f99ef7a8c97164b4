import type { SortOrder } from "@clew/contract";
import { compareByCodePoint } from "@clew/graph";
import type { Value } from "./values.ts";

/** The position of a row in a list. */
export interface RowKey {
  /** What the list is sorted by; null if that is empty. */
  readonly value: number | string | null;
  /** Its index in the graph: in the order of ids. */
  readonly node: number;
}

/** What a cell is sorted by: a list of texts by the first, then the next; other lists by the first. */
export function sortValueOf(values: readonly Value[]): RowKey["value"] {
  const [first] = values;
  if (first === undefined) return null;
  if (first.is === "number") return first.number;
  if (first.is === "date") return first.time;
  if (first.is === "checkbox") return Number(first.checked);
  const texts = values.flatMap((value) => {
    if (value.is === "text") return value.text;
    return value.is === "relation" && value.title !== null ? value.title : [];
  });
  // No folded text has a line break, and all else comes after it.
  return texts.length === 0 ? null : texts.join("\n");
}

/** Negative if `a` comes first. Empty values are last and equal ones in the order of ids, whatever the order. */
export function compareRowKeys(order: SortOrder): (a: RowKey, b: RowKey) => number {
  const sign = order === "asc" ? 1 : -1;
  return (a, b) => {
    if (a.value === null || b.value === null)
      return Number(a.value === null) - Number(b.value === null) || a.node - b.node;
    return sign * compareValues(a.value, b.value) || a.node - b.node;
  };
}

/** Numbers come before texts: only results of formulas are both. */
function compareValues(a: number | string, b: number | string): number {
  if (typeof a === "string" && typeof b === "string") return compareByCodePoint(a, b);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return typeof a === "number" ? -1 : 1;
}

/** The first rows of those that are added, in an order. */
export class FirstRows<Row extends { readonly key: RowKey }> {
  readonly rows: Row[] = [];
  readonly #size: number;
  readonly #compare: (a: RowKey, b: RowKey) => number;

  constructor(size: number, compare: (a: RowKey, b: RowKey) => number) {
    this.#size = size;
    this.#compare = compare;
  }

  get isFull(): boolean {
    return this.rows.length >= this.#size;
  }

  add(row: Row): void {
    const last = this.rows.at(-1);
    if (last !== undefined && this.isFull && this.#compare(row.key, last.key) >= 0) return;
    let low = 0;
    let high = this.rows.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.rows[middle];
      if (other !== undefined && this.#compare(other.key, row.key) < 0) low = middle + 1;
      else high = middle;
    }
    this.rows.splice(low, 0, row);
    if (this.rows.length > this.#size) this.rows.pop();
  }
}
