import type { GraphColumns } from "@clew/graph";
import type { FastifyBaseLogger } from "fastify";
import type { Database } from "../../store/port.ts";
import { ThreadError } from "../threads/errors.ts";
import { Thread } from "../threads/thread.ts";
import type { TextSnapshot } from "./snapshot.ts";

/** What the index thread is asked for. */
export type IndexCall =
  | { readonly task: "update"; readonly connectionId: number }
  | { readonly task: "open"; readonly connectionId: number; readonly graphIds: GraphColumns["ids"] }
  | { readonly task: "tend" }
  | { readonly task: "reset" };

/** What the index thread says by itself. */
export type IndexNews =
  | { readonly kind: "progress"; readonly connectionId: number }
  | { readonly kind: "deleted"; readonly reason: string }
  | { readonly kind: "failed"; readonly doing: "index" | "merge"; readonly message: string };

/** Enough for a segment while it is built, twice. */
const maxHeapMb = 512;

interface TextIndexOptions {
  readonly database: Pick<Database, "location">;
  readonly log: Pick<FastifyBaseLogger, "warn" | "error">;
}

/** The text index (GRAPH-18). All of its writing happens in one thread, which starts when it is first needed. */
export interface TextIndex {
  /**
   * Brings a connection's index up to date. Never rejects: what fails is logged, and `tend` tries again. With
   * `maxWaitMs` it resolves by then at the latest; the update continues, and `onGrown` calls back when it is done.
   */
  update(connectionId: number, maxWaitMs?: number): Promise<void>;
  /** The index as the graph with these ids sees it. */
  open(connectionId: number, graphIds: GraphColumns["ids"]): Promise<TextSnapshot>;
  /** Deletes an index that was found to be damaged; `tend` builds it again. */
  reset(): Promise<void>;
  /** Deletes what is of no use any more, and updates the connections whose index is not up to date. To be repeated. */
  tend(): Promise<void>;
  /** Calls back whenever more of a connection's texts can be found than when a graph was published. */
  onGrown(listener: (connectionId: number) => void): void;
  close(): Promise<void>;
}

export function createTextIndex({ database, log }: TextIndexOptions): TextIndex {
  let isClosed = false;
  let listener: (connectionId: number) => void = () => {};

  const thread = new Thread<IndexCall, TextSnapshot | null>({
    module: new URL("./index-worker.ts", import.meta.url),
    workerData: database.location,
    maxHeapMb,
    // Only the index thread sends news.
    onNews: (news) => receive(news as IndexNews),
  });

  function receive(news: IndexNews): void {
    if (news.kind === "progress") listener(news.connectionId);
    else if (news.kind === "deleted")
      log.warn({ reason: news.reason }, "deleted the text index, which cannot be used; it is built anew");
    else log.error({ reason: news.message }, `failed to ${news.doing} a part of the text index`);
  }

  function noteDamage(error: unknown): void {
    if (!(error instanceof ThreadError) || error.failure !== "damaged") return;
    log.warn({ err: error }, "deleted the text index, which is damaged; it is built anew");
  }

  /** False if it failed. */
  async function update(connectionId: number): Promise<boolean> {
    try {
      await thread.call({ task: "update", connectionId });
      return true;
    } catch (error) {
      noteDamage(error);
      if (!isClosed) log.error({ connectionId, err: error }, "failed to index texts");
      return false;
    }
  }

  return {
    async update(connectionId, maxWaitMs) {
      if (isClosed) return;
      const updated = update(connectionId);
      if (maxWaitMs === undefined) return void (await updated);
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(() => {
        late.resolve();
        // The graph was published with less than there will be.
        void updated.then((isDone) => isDone && listener(connectionId));
      }, maxWaitMs);
      await Promise.race([updated, late.promise]).finally(() => clearTimeout(timer.unref()));
    },

    async open(connectionId, graphIds) {
      if (isClosed) throw new ThreadError("ended", "the text index is closed");
      try {
        const snapshot = await thread.call({ task: "open", connectionId, graphIds });
        if (snapshot === null) throw new ThreadError("failed", "the index thread opened nothing");
        return snapshot;
      } catch (error) {
        noteDamage(error);
        throw error;
      }
    },

    async reset() {
      log.warn({}, "deleting the text index, which is damaged; it is built anew");
      await thread.call({ task: "reset" });
    },

    async tend() {
      if (isClosed) return;
      await thread.call({ task: "tend" }).catch((error) => {
        noteDamage(error);
        if (!isClosed) throw error;
      });
    },

    onGrown(added) {
      listener = added;
    },

    async close() {
      isClosed = true;
      await thread.terminate();
    },
  };
}
