import { buildColumns, Graph, type GraphColumns } from "@clew/graph";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Database, StoredGraphRows } from "../store/port.ts";
import { isLargerThan } from "../store/queries/graph-reading.ts";
import { Thread } from "../threads/thread.ts";
import type { BuiltGraph } from "./graph-cache.ts";

/** Graphs of up to this many nodes are built on the calling thread: that takes milliseconds, less than starting another. */
const maxInlineNodes = 1000;

/** Bytes of a graph after which the thread is ended: a build takes several times that, and the thread would keep it. */
const maxKeptBytes = 16 * 1024 ** 2;

/** Milliseconds without a build after which the thread is ended. Starting another takes some hundreds of milliseconds. */
const maxIdleMs = 10 * 60_000;

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

function graphOf({ columns, version }: StoredColumns): BuiltGraph {
  return { graph: new Graph(columns), version };
}

/**
 * Builds graphs from the store: small ones at once, others in a thread, one at a time, since a build needs several
 * times the memory of its graph. The thread serves builds that follow one another; after a large one it is ended, which
 * frees that memory.
 */
export class GraphBuilder {
  readonly #database: Pick<Database, "graphRows" | "location" | "read">;
  readonly #inlineNodes: number;
  readonly #maxKeptBytes: number;
  readonly #thread: Thread<BuildOrder, StoredColumns>;
  /** The latest build in the thread. */
  #latest: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** The limits are those of production unless a test gives others. */
  constructor(
    database: Pick<Database, "graphRows" | "location" | "read">,
    limits: { readonly inlineNodes?: number; readonly maxKeptBytes?: number } = {},
  ) {
    this.#database = database;
    this.#inlineNodes = limits.inlineNodes ?? maxInlineNodes;
    this.#maxKeptBytes = limits.maxKeptBytes ?? maxKeptBytes;
    this.#thread = new Thread({ module: new URL("./build-worker.ts", import.meta.url), maxYoungMb });
  }

  /**
   * Builds a connection's stored graph. Rejects if that fails or `close` ends it, with `DatabaseUnavailableError` or the
   * database's own error if that cannot be used now.
   */
  async build(connectionId: number): Promise<BuiltGraph> {
    const database = this.#database;
    return (await isLargerThan(database.read, connectionId, this.#inlineNodes))
      ? this.#inTurn(connectionId)
      : graphOf(await database.graphRows(connectionId, columnsOf));
  }

  /** Ends the running build and those that wait for it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#thread.terminate();
  }

  #inTurn(connectionId: number): Promise<BuiltGraph> {
    const turn = this.#latest.then(() => this.#inThread(connectionId));
    this.#latest = turn.catch(() => {});
    return turn;
  }

  async #inThread(connectionId: number): Promise<BuiltGraph> {
    if (this.#isClosed) throw new Error("The graph was not built: Clew stops");
    clearTimeout(this.#idle);
    let bytes = Number.POSITIVE_INFINITY;
    try {
      const built = graphOf(await this.#thread.call({ location: this.#database.location, connectionId }));
      bytes = built.graph.byteLength;
      return built;
    } finally {
      if (bytes > this.#maxKeptBytes) void this.#thread.terminate();
      else this.#idle = setTimeout(() => void this.#thread.terminate(), maxIdleMs).unref();
    }
  }
}
