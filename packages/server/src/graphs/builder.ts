import { buildColumns, Graph, type GraphColumns } from "@clew/graph";
import { Thread } from "@clew/threads";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Database, StoredGraphRows } from "../store/port.ts";
import { isLargerThan } from "../store/queries/graph-reading.ts";
import { errorsOf } from "../threads/errors.ts";
import type { BuiltGraph } from "./graph-cache.ts";

/** Graphs of up to this many nodes are built on the calling thread: that takes milliseconds, less than starting another. */
const maxInlineNodes = 1000;

/** Graphs of up to this many nodes wait for one another alone: larger ones take up to ten seconds. */
const maxSmallNodes = 50_000;

/** Bytes of a graph after which another thread takes over: a build takes several times that, and the thread would keep it. */
const maxKeptBytes = 16 * 1024 ** 2;

/** Milliseconds after a large build until that. Edits often follow one another, and a thread that has built is faster. */
const largeIdleMs = 10_000;

/** Milliseconds without a build after which the thread is ended. Starting another takes some hundreds of milliseconds. */
const maxIdleMs = 10 * 60_000;

/** Megabytes of short-lived objects: the process keeps their memory for a while after the thread has ended. */
const maxYoungMb = 16;

/** A call of the thread that builds graphs. */
export interface BuildOrder {
  readonly location: DatabaseLocation;
  readonly connectionId: number;
  /** An earlier graph of the connection; null if there is none. */
  readonly earlier: Pick<StoredColumns, "columns" | "version"> | null;
}

/** The columns of a graph, its version, and the mark of that (`StoredVersion`). */
export interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
  readonly mark: string | null;
}

/** A graph as it was built from the store. */
interface StoredGraph extends BuiltGraph, Pick<StoredColumns, "mark"> {}

/** Builds a graph's columns; blocks the thread until they are done. `earlier` is the graph since which the rows were read. */
export function columnsOf(rows: StoredGraphRows, earlier?: GraphColumns): StoredColumns {
  return { columns: buildColumns(rows, earlier), version: rows.revision, mark: rows.mark };
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
    this.#limits = {
      inlineNodes: maxInlineNodes,
      smallNodes: maxSmallNodes,
      maxKeptBytes,
      ...limits,
    };
    this.#small = new BuildThread(this.#limits);
    this.#large = new BuildThread(this.#limits);
  }

  /**
   * Builds a connection's stored graph. What did not change since an earlier one is taken from it. Rejects if the build fails
   * or `close` ends it, with `DatabaseUnavailableError` or the database's own error if that cannot be used now.
   */
  async build(connectionId: number, earlier: BuiltGraph | null = null): Promise<StoredGraph> {
    const { location, read } = this.#database;
    const { inlineNodes, smallNodes } = this.#limits;
    if (!(await isLargerThan(read, connectionId, inlineNodes)))
      return graphOf(await this.#database.graphRows(connectionId, (rows) => columnsOf(rows)));
    const isLarge = await isLargerThan(read, connectionId, smallNodes);
    return (isLarge ? this.#large : this.#small).build({
      location,
      connectionId,
      earlier: earlier && { columns: earlier.graph.columns, version: earlier.version },
    });
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
 * A thread that builds one graph after the other. It serves builds that follow one another; some time after a large one another
 * thread takes its place, which frees that memory.
 */
class BuildThread {
  readonly #limits: Required<BuildLimits>;
  readonly #thread: Thread<BuildOrder, StoredColumns>;
  /** The latest build. */
  #latest: Promise<unknown> = Promise.resolve();
  #idle: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(limits: Required<BuildLimits>) {
    this.#limits = limits;
    this.#thread = new Thread({
      module: new URL("./build-worker.ts", import.meta.url),
      maxYoungMb,
      errors: errorsOf(),
    });
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
      this.#endLater(bytes > this.#limits.maxKeptBytes);
    }
  }

  /** Ends the thread once no build comes. After a large one that is soon, and another thread waits for the next. */
  #endLater(wasLarge: boolean): void {
    const end = async () => {
      await this.#thread.terminate();
      if (!wasLarge || this.#isClosed) return;
      this.#endLater(false);
      // A failure shows with the next build.
      await this.#thread.start().catch(() => {});
    };
    clearTimeout(this.#idle);
    this.#idle = setTimeout(end, wasLarge ? largeIdleMs : maxIdleMs).unref();
  }
}
