import { buildColumns, type GraphColumns } from "@clew/graph";
import type { StoredGraphRows } from "../store/port.ts";

/** What a thread that builds a graph needs. */
export interface BuildOrder {
  /** `Database.location`. */
  readonly location: string;
  readonly connectionId: number;
}

/** The columns of a graph, and its version. */
export interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
}

/** Builds a graph's columns; keeps the thread busy until it is done. */
export function columnsOf(rows: StoredGraphRows): StoredColumns {
  return { columns: buildColumns(rows), version: rows.revision };
}
