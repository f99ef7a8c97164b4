import type { DatabaseLocation } from "../model/database-location.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { reasonOf } from "../model/thrown.ts";
import type { Backend } from "./backend.ts";
import type { GraphReading, StoredGraphRows } from "./port.ts";

/*
 * The choice of the backend. Its modules are loaded when they are needed: a thread that builds a graph starts several times sooner
 * without the others.
 */

const backends = {
  sqlite: {
    database: () => import("./sqlite/database.ts"),
    graphRows: () => import("./sqlite/graph-rows.ts"),
    textIndex: () => import("./sqlite/text-index.ts"),
  },
  postgres: {
    database: () => import("./postgres/database.ts"),
    graphRows: () => import("./postgres/graph-rows.ts"),
    textIndex: () => import("./postgres/text-index.ts"),
  },
} satisfies Record<DatabaseLocation["kind"], Backend>;

/** The backend of a location, and the address that its functions take. */
export function backendOf(location: DatabaseLocation): Backend & { readonly address: string } {
  return {
    ...backends[location.kind],
    address: location.kind === "sqlite" ? location.path : location.url,
  };
}

/**
 * Reads a connection's graph as `Database.graphRows` does, for a thread that needs nothing else of the database. Throws
 * `DatabaseUnavailableError` if that cannot be used now.
 */
export async function readGraphRows<T>(
  location: DatabaseLocation,
  connectionId: number,
  use: (rows: StoredGraphRows) => T,
  reading?: GraphReading,
): Promise<T> {
  const { graphRows, address } = backendOf(location);
  const { readGraphRows: read, isUnavailable } = await graphRows();
  try {
    return await read(address, connectionId, use, reading);
  } catch (error) {
    if (!isUnavailable(error)) throw error;
    throw new DatabaseUnavailableError(reasonOf(error), { cause: error });
  }
}
