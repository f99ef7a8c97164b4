import { Worker } from "node:worker_threads";
import { Graph, receivedNodes } from "@clew/graph";
import type { Database } from "../store/port.ts";
import type { PublishedGraph } from "./graph-versions.ts";
import { type BuildOrder, columnsOf, type StoredColumns } from "./stored-columns.ts";

/** Builds graphs from the store. */
export interface Builder {
  /** Builds what the store holds of a connection now. Rejects where that fails or `close` breaks it off. */
  build(connectionId: number): Promise<PublishedGraph>;
  /** Breaks off the build under way, those that wait for it as well. */
  close(): Promise<void>;
}

/** A graph of so many nodes is built while others wait: some milliseconds, less than to start a thread. */
const maxInlineNodes = 1000;

/** What a thread keeps for short-lived objects is kept by the process for a while after: megabytes. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/**
 * Builds small graphs at once, and large ones in a thread of their own, one at a time: a build takes some times the
 * memory of its graph, and all of it goes with the thread.
 */
export function createBuilder(
  database: Pick<Database, "graphRows" | "location">,
  inlineNodes = maxInlineNodes,
): Builder {
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
      started.once("message", resolve);
      started.once("error", reject);
      started.once("exit", () => {
        if (thread === started) thread = null;
        reject(new Error("The thread that built a graph ended before it was done"));
      });
    });
  }

  return {
    async build(connectionId) {
      const small = await database.graphRows(connectionId, (rows) =>
        rows.exceeds(inlineNodes) ? null : columnsOf(rows),
      );
      if (small) return { graph: new Graph(small.columns), version: small.version };
      const turn = queue.then(() => inThread({ location: database.location, connectionId }));
      queue = turn.catch(() => {});
      const { columns, version } = await turn;
      return { graph: new Graph({ ...columns, nodes: receivedNodes(columns.nodes) }), version };
    },

    async close() {
      isClosed = true;
      await thread?.terminate();
    },
  };
}
