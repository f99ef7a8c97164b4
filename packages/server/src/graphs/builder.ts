import { buildColumns, Graph, type GraphColumns } from "@clew/graph";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Database, StoredGraphRows } from "../store/port.ts";
import { isLargerThan } from "../store/queries/graph-reading.ts";
import { Thread } from "../threads/thread.ts";
import type { BuiltGraph } from "./graph-cache.ts";

/** Graphs of up to this many nodes are built on the calling thread: that takes milliseconds, less than starting another. */
const maxInlineNodes = 1000;

/** Megabytes of short-lived objects: the process keeps their memory for a while after the thread has ended. */
const maxYoungMb = 16;

/** A call of the thread that builds graphs. */
export interface BuildOrder {
  readonly location: DatabaseLocation;
  readonly connectionId: number;
}

/** The columns of a graph, and its version. */
export interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
}

/** Builds a graph's columns; blocks the thread until they are done. */
export function columnsOf(rows: StoredGraphRows): StoredColumns {
  return { columns: buildColumns(rows), version: rows.revision };
}

/**
 * Builds graphs from the store: small ones at once, large ones in a thread, one at a time, since a build needs several
 * times the memory of its graph. That memory is freed with the thread.
 */
export class GraphBuilder {
  readonly #database: Pick<Database, "graphRows" | "location" | "read">;
  readonly #inlineNodes: number;
  readonly #thread: Thread<BuildOrder, StoredColumns>;
  /** The latest build in the thread. */
  #latest: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(database: Pick<Database, "graphRows" | "location" | "read">, inlineNodes = maxInlineNodes) {
    this.#database = database;
    this.#inlineNodes = inlineNodes;
    this.#thread = new Thread({ module: new URL("./build-worker.ts", import.meta.url), maxYoungMb });
  }

  /**
   * Builds a connection's stored graph. Rejects if that fails or `close` ends it, with `DatabaseUnavailableError` or the
   * database's own error if that cannot be used now.
   */
  async build(connectionId: number): Promise<BuiltGraph> {
    const database = this.#database;
    const { columns, version } = (await isLargerThan(database.read, connectionId, this.#inlineNodes))
      ? await this.#inTurn(connectionId)
      : await database.graphRows(connectionId, columnsOf);
    return { graph: new Graph(columns), version };
  }

  /** Ends the running build and those that wait for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.terminate();
  }

  #inTurn(connectionId: number): Promise<StoredColumns> {
    const turn = this.#latest.then(() => this.#inThread(connectionId));
    this.#latest = turn.catch(() => {});
    return turn;
  }

  async #inThread(connectionId: number): Promise<StoredColumns> {
    if (this.#isClosed) throw new Error("The graph was not built: Clew stops");
    try {
      return await this.#thread.call({ location: this.#database.location, connectionId });
    } finally {
      void this.#thread.terminate();
    }
  }
}
