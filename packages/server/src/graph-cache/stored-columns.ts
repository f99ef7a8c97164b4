import { buildColumns, type GraphColumns } from "@clew/graph";
import { type StoredRows, withGraphRows } from "../store/sqlite/graph-rows.ts";

/** What a thread that builds a graph is told. */
export interface BuildOrder {
  readonly path: string;
  readonly connectionId: number;
}

/** The columns of a graph, and the version that they are. */
export interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
}

/** Builds what the store holds of a connection now, and keeps this thread busy until it is done. */
export function storedColumns({ path, connectionId }: BuildOrder): StoredColumns {
  return withGraphRows(path, connectionId, columnsOf);
}

/** The same where that takes some milliseconds at most; null where the graph has more than so many nodes. */
export function smallStoredColumns(
  { path, connectionId }: BuildOrder,
  mostNodes: number,
): StoredColumns | null {
  return withGraphRows(path, connectionId, (rows) => (rows.exceeds(mostNodes) ? null : columnsOf(rows)));
}

function columnsOf(rows: StoredRows): StoredColumns {
  return { columns: buildColumns(rows), version: rows.revision };
}
