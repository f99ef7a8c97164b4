import { Worker } from "node:worker_threads";
import { buildColumns, Graph, type GraphColumns } from "@clew/graph";
import type { Database, StoredGraphRows } from "../store/port.ts";
import { isLargerThan } from "../store/queries/graph-reading.ts";
import type { BuiltGraph } from "./graph-cache.ts";
import { receivedError, type SentError } from "./threads/errors.ts";

/** Graphs of up to so many nodes are built on this thread: that takes milliseconds, less than starting another. */
const maxInlineNodes = 1000;

/** The process keeps the memory of a thread's short-lived objects for a while after the thread has ended. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** What a thread that builds a graph needs. */
export interface BuildOrder {
  /** `Database.location`. */
  readonly location: string;
  readonly connectionId: number;
}

/** The columns of a graph, and its version. */
interface StoredColumns {
  readonly columns: GraphColumns;
  readonly version: number;
}

/** What the thread answers. */
export type BuildOutcome = StoredColumns | { readonly error: SentError };

/** Builds a graph's columns; blocks the thread until they are done. */
export function columnsOf(rows: StoredGraphRows): StoredColumns {
  return { columns: buildColumns(rows), version: rows.revision };
}

/**
 * Builds graphs from the store: small ones at once, large ones in a thread, one at a time, since a build needs several
 * times the memory of its graph. That memory is freed with the thread.
 */
export function createBuilder(
  database: Pick<Database, "graphRows" | "location" | "read">,
  inlineNodes = maxInlineNodes,
) {
  let queue: Promise<unknown> = Promise.resolve();
  let thread: Worker | null = null;
  let isClosed = false;

  function inThread(order: BuildOrder): Promise<StoredColumns> {
    return new Promise((resolve, reject) => {
      if (isClosed) throw new Error("The graph was not built: Clew stops");
      const started = new Worker(new URL("./build-worker.ts", import.meta.url), {
        workerData: order,
        resourceLimits,
      });
      thread = started;
      started.once("message", (outcome: BuildOutcome) =>
        "error" in outcome ? reject(receivedError(outcome.error)) : resolve(outcome),
      );
      started.once("error", reject);
      started.once("exit", () => {
        if (thread === started) thread = null;
        reject(new Error("The thread that built a graph ended before it was done"));
      });
    });
  }

  function takeTurn(connectionId: number): Promise<StoredColumns> {
    const turn = queue.then(() => inThread({ location: database.location, connectionId }));
    queue = turn.catch(() => {});
    return turn;
  }

  return {
    /**
     * Builds a connection's stored graph. Rejects if that fails or `close` ends it, with `DatabaseUnavailableError` or the
     * database's own error if that cannot be used now.
     */
    async build(connectionId: number): Promise<BuiltGraph> {
      const { columns, version } = (await isLargerThan(database.read, connectionId, inlineNodes))
        ? await takeTurn(connectionId)
        : await database.graphRows(connectionId, columnsOf);
      return { graph: new Graph(columns), version };
    },

    /** Ends the running build and those that wait for it. */
    async close(): Promise<void> {
      isClosed = true;
      await thread?.terminate();
    },
  };
}
