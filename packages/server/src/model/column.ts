import type { ColumnType } from "@clew/contract";

/** A column of a database. */
export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** The names of its options, in their order; empty for types that have none. */
  readonly options: readonly string[];
}
