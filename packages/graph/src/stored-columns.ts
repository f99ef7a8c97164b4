import type { GraphColumns } from "./graph.ts";

/**
 * The format of stored columns. Raise it when the same rows lead to other columns, or columns to other bytes: what was stored before is
 * then built anew. A test compares the bytes of a small graph with those of this format.
 */
export const columnsFormat = 3;

/** The columns of a graph as bytes that can be stored, one after the other. */
export interface StoredColumns {
  /** Text that says what the bytes are. */
  readonly layout: string;
  readonly parts: readonly Uint8Array[];
  /** The sum of their lengths. */
  readonly byteLength: number;
}

/** Kinds of columns by their names in a layout. */
const kinds = { u8: Uint8Array, u16: Uint16Array, u32: Uint32Array, f64: Float64Array } as const;

type Kind = keyof typeof kinds;
type Column = Uint8Array | Uint16Array | Uint32Array | Float64Array;
type ColumnType = new (memory: SharedArrayBuffer, start: number, length: number) => Column;

/** The bytes of a number are those of the machine, and any column may begin here. */
const alignment = 8;

interface Layout {
  /** The graph's columns, with `{ column: n }` in place of the nth column. */
  readonly structure: unknown;
  readonly columns: readonly { readonly kind: Kind; readonly start: number; readonly length: number }[];
}

/** Describes columns as bytes, without a copy. A column that stands in two places is stored once. */
export function storedColumns(graph: GraphColumns): StoredColumns {
  const numbers = new Map<Column, number>();
  const columns: Layout["columns"][number][] = [];
  const parts: Uint8Array[] = [];
  let end = 0;
  const add = (bytes: Uint8Array) => {
    parts.push(bytes);
    end += bytes.byteLength;
  };
  const numberOf = (column: Column): number => {
    const known = numbers.get(column);
    if (known !== undefined) return known;
    columns.push({ kind: kindOf(column), start: end, length: column.length });
    add(new Uint8Array(column.buffer, column.byteOffset, column.byteLength));
    add(new Uint8Array(-end & (alignment - 1)));
    numbers.set(column, columns.length - 1);
    return columns.length - 1;
  };
  const describe = (value: unknown): unknown => {
    if (isColumn(value)) return { column: numberOf(value) };
    if (Array.isArray(value)) return value.map(describe);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, describe(part)]));
  };
  const layout: Layout = { structure: describe(graph), columns };
  return { layout: JSON.stringify(layout), parts, byteLength: end };
}

/**
 * Makes columns of stored bytes, without a copy. They begin at `start`, a multiple of eight. The layout and the bytes must be those
 * that `storedColumns` made in this format; throws if the layout is none.
 */
export function columnsFrom(layout: string, memory: SharedArrayBuffer, start: number): GraphColumns {
  // Written by `storedColumns`.
  const { structure, columns } = JSON.parse(layout) as Layout;
  const views = columns.map((column) => {
    const Type: ColumnType = kinds[column.kind];
    return new Type(memory, start + column.start, column.length);
  });
  const restore = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(restore);
    if (typeof value !== "object" || value === null) return value;
    if ("column" in value) return views[Number(value.column)];
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, restore(part)]));
  };
  // The structure that `storedColumns` was given.
  return restore(structure) as GraphColumns;
}

const isColumn = (value: unknown): value is Column =>
  Object.values(kinds).some((Type) => value instanceof Type);

function kindOf(column: Column): Kind {
  if (column instanceof Uint8Array) return "u8";
  if (column instanceof Uint16Array) return "u16";
  return column instanceof Uint32Array ? "u32" : "f64";
}
