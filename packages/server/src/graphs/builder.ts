import { buildColumns, Graph, type GraphColumns } from "@clew/graph";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Database, StoredGraphRows } from "../store/port.ts";
import { isLargerThan } from "../store/queries/graph-reading.ts";
import { Thread } from "../threads/thread.ts";
import type { BuiltGraph } from "./graph-cache.ts";

/** Graphs of up to this many nodes are built on the calling thread: that takes milliseconds, less than starting another. */
const maxInlineNodes = 1000;

/** Graphs of up to this many nodes wait for one another alone: larger ones take up to ten seconds. */
const maxSmallNodes = 50_000;

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

/** The columns of a graph, its version, and the mark of that (`StoredVersion`). */
export interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
  readonly mark: string | null;
}

/** A graph as it was built from the store. */
interface StoredGraph extends BuiltGraph, Pick<StoredColumns, "mark"> {}

/** Builds a graph's columns; blocks the thread until they are done. */
export function columnsOf(rows: StoredGraphRows): StoredColumns {
  return { columns: buildColumns(rows), version: rows.revision, mark: rows.mark };
}

function graphOf({ columns, ...rest }: StoredColumns): StoredGraph {
  return { graph: new Graph(columns), ...rest };
}

/**
 * Builds graphs from the store: very small ones at once, others in two threads, one for large graphs, so that no small graph
 * waits for a large one. Each thread builds one at a time, since a build needs several times the memory of its graph.
 */
export class GraphBuilder {
  readonly #database: Pick<Database, "graphRows" | "location" | "read">;
  readonly #limits: Required<BuildLimits>;
  readonly #small: BuildThread;
  readonly #large: BuildThread;

  /** The limits are those of production unless a test gives others. */
  constructor(database: Pick<Database, "graphRows" | "location" | "read">, limits: BuildLimits = {}) {
    this.#database = database;
    this.#limits = { inlineNodes: maxInlineNodes, smallNodes: maxSmallNodes, maxKeptBytes, ...limits };
    this.#small = new BuildThread(this.#limits.maxKeptBytes);
    this.#large = new BuildThread(this.#limits.maxKeptBytes);
  }

  /**
   * Builds a connection's stored graph. Rejects if that fails or `close` ends it, with `DatabaseUnavailableError` or the
   * database's own error if that cannot be used now.
   */
  async build(connectionId: number): Promise<StoredGraph> {
    const { location, read } = this.#database;
    const { inlineNodes, smallNodes } = this.#limits;
    if (!(await isLargerThan(read, connectionId, inlineNodes)))
      return graphOf(await this.#database.graphRows(connectionId, columnsOf));
    const isLarge = await isLargerThan(read, connectionId, smallNodes);
    return (isLarge ? this.#large : this.#small).build({ location, connectionId });
  }

  /** Ends the running builds and those that wait for them. */
  async close(): Promise<void> {
    await Promise.all([this.#small.close(), this.#large.close()]);
  }
}

interface BuildLimits {
  readonly inlineNodes?: number;
  readonly smallNodes?: number;
  readonly maxKeptBytes?: number;
}

/**
 * A thread that builds one graph after the other. It serves builds that follow one another; after a large one it is ended,
 * which frees that memory.
 */
class BuildThread {
  readonly #maxKeptBytes: number;
  readonly #thread: Thread<BuildOrder, StoredColumns>;
  /** The latest build. */
  #latest: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(maxKeptBytes: number) {
    this.#maxKeptBytes = maxKeptBytes;
    this.#thread = new Thread({ module: new URL("./build-worker.ts", import.meta.url), maxYoungMb });
  }

  build(order: BuildOrder): Promise<StoredGraph> {
    const turn = this.#latest.then(() => this.#build(order));
    this.#latest = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idle);
    await this.#thread.terminate();
  }

  async #build(order: BuildOrder): Promise<StoredGraph> {
    if (this.#isClosed) throw new Error("The graph was not built: Clew stops");
    clearTimeout(this.#idle);
    let bytes = Number.POSITIVE_INFINITY;
    try {
      const built = graphOf(await this.#thread.call(order));
      bytes = built.graph.byteLength;
      return built;
    } finally {
      if (bytes > this.#maxKeptBytes) void this.#thread.terminate();
      else this.#idle = setTimeout(() => void this.#thread.terminate(), maxIdleMs).unref();
    }
  }
}
