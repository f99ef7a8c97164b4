import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { isPostgres } from "./location.ts";
import type { StoredGraphRows } from "./port.ts";

/**
 * `Database.graphRows` for a worker thread, which needs nothing else of the database at `location`. Throws
 * `DatabaseUnavailableError` if that cannot be used now.
 */
export async function readGraphRows<T>(
  location: string,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  nodesAtATime?: number,
): Promise<T> {
  const dialect = isPostgres(location)
    ? await import("./postgres/graph-rows.ts")
    : await import("./sqlite/graph-rows.ts");
  try {
    return await dialect.readGraphRows(location, connectionId, use, nodesAtATime);
  } catch (error) {
    if (!dialect.isUnavailable(error)) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new DatabaseUnavailableError(reason, { cause: error });
  }
}
