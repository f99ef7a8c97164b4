import type { SortOrder } from "@clew/contract";
import { compareByCodePoint } from "@clew/graph";
import { firstIndex } from "@clew/text/basics";
import type { Value } from "./values.ts";

/** The position of a row in a list. */
export interface RowKey {
  /** The value that the list is sorted by; null if it is empty. */
  readonly value: number | string | null;
  /** Its index in the graph: in the order of ids. */
  readonly node: number;
}

/** The value that a cell is sorted by: lists of texts by the first text, then the next; other lists by the first value. */
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
    const isBehind = (other: Row | undefined) =>
      other === undefined || this.#compare(other.key, row.key) >= 0;
    const place = firstIndex(0, this.rows.length, (index) => isBehind(this.rows[index]));
    this.rows.splice(place, 0, row);
    if (this.rows.length > this.#size) this.rows.pop();
  }
}
