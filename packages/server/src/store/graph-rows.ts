import { isPostgres } from "./location.ts";
import type { StoredGraphRows } from "./port.ts";

/** `Database.graphRows` for a worker thread, which needs nothing else of the database at `location`. */
export async function readGraphRows<T>(
  location: string,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  nodesAtATime?: number,
): Promise<T> {
  const dialect = isPostgres(location)
    ? await import("./postgres/graph-rows.ts")
    : await import("./sqlite/graph-rows.ts");
  return dialect.readGraphRows(location, connectionId, use, nodesAtATime);
}
