import type { GraphColumns } from "@clew/graph";
import { Thread, ThreadError } from "@clew/threads";
import type { FastifyBaseLogger } from "fastify";
import type { DatabaseLocation } from "../model/database-location.ts";
import type { Database } from "../store/port.ts";
import { errorsOf } from "../threads/errors.ts";
import type { TextSnapshot } from "./text-snapshots.ts";

/** A call of the index thread. */
export type IndexCall =
  | { readonly task: "update"; readonly connectionId: number }
  | { readonly task: "open"; readonly connectionId: number; readonly graphIds: GraphColumns["ids"] }
  | { readonly task: "tend"; readonly heldIds: readonly number[] }
  | { readonly task: "reset" };

/** The data with which the index thread starts. */
export interface IndexThreadData {
  readonly location: DatabaseLocation;
  readonly writes: boolean;
}

/** A message that the index thread sends by itself. */
export type IndexNews =
  | { readonly kind: "progress"; readonly connectionId: number }
  /** The pages whose latest change no process has indexed yet. */
  | { readonly kind: "lag"; readonly pages: number }
  | { readonly kind: "deleted"; readonly reason: string }
  | { readonly kind: "failed"; readonly doing: "index" | "merge"; readonly message: string };

/** Enough for a segment while it is built, twice. */
const maxHeapMb = 512;

interface TextIndexOptions {
  readonly database: Pick<Database, "location">;
  readonly log: Pick<FastifyBaseLogger, "warn" | "error">;
  /** Whether this process indexes texts. If not, it opens what others have indexed. True by default. */
  readonly writes?: boolean;
}

/** The text index (GRAPH-18). One thread works on it for the process, and starts when it is first needed. */
export class TextIndex {
  readonly #log: TextIndexOptions["log"];
  readonly #writes: boolean;
  readonly #thread: Thread<IndexCall, TextSnapshot | null>;
  #listener: (connectionId: number) => void = () => {};
  #lagPages = 0;
  #isClosed = false;

  constructor({ database, log, writes = true }: TextIndexOptions) {
    this.#log = log;
    this.#writes = writes;
    const workerData: IndexThreadData = { location: database.location, writes };
    this.#thread = new Thread({
      module: new URL("./index-worker.ts", import.meta.url),
      workerData,
      maxHeapMb,
      errors: errorsOf(),
      // Only the index thread sends news.
      onNews: (news) => this.#receive(news as IndexNews),
    });
  }

  /**
   * Brings a connection's index up to date. Never rejects: a failure is logged, and `tend` tries again. With `maxWaitMs` it
   * resolves by then at the latest; the update continues, and `onGrown` calls back when it is done. Does nothing in a process that
   * does not index.
   */
  async update(connectionId: number, maxWaitMs?: number): Promise<void> {
    if (this.#isClosed || !this.#writes) return;
    const updated = this.#update(connectionId);
    if (maxWaitMs === undefined) return void (await updated);
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(() => {
      late.resolve();
      // The graph was published with less than there will be.
      void updated.then((isDone) => isDone && this.#listener(connectionId));
    }, maxWaitMs);
    await Promise.race([updated, late.promise]).finally(() => clearTimeout(timer.unref()));
  }

  /** The pages whose latest change was not indexed yet when `tend` last looked. */
  get lagPages(): number {
    return this.#lagPages;
  }

  /** The index as the graph with these ids sees it. */
  async open(connectionId: number, graphIds: GraphColumns["ids"]): Promise<TextSnapshot> {
    if (this.#isClosed) throw new ThreadError("ended", "the text index is closed");
    try {
      const snapshot = await this.#thread.call({ task: "open", connectionId, graphIds });
      if (snapshot === null) throw new ThreadError("failed", "the index thread opened nothing");
      return snapshot;
    } catch (error) {
      this.#noteDamage(error);
      throw error;
    }
  }

  /** Deletes an index that was found to be damaged; `tend` builds it again. */
  async reset(): Promise<void> {
    this.#log.warn({}, "deleting the text index, which is damaged; it is built anew");
    await this.#thread.call({ task: "reset" });
  }

  /**
   * Looks what other processes have indexed of the held connections. In a process that indexes, first deletes removed connections and replaced segments, and
   * updates the connections whose index is not up to date. To be repeated.
   */
  async tend(heldIds: readonly number[]): Promise<void> {
    if (this.#isClosed) return;
    await this.#thread.call({ task: "tend", heldIds }).catch((error) => {
      this.#noteDamage(error);
      if (!this.#isClosed) throw error;
    });
  }

  /** Calls back whenever more of a connection's texts can be found than when a graph was published. */
  onGrown(listener: (connectionId: number) => void): void {
    this.#listener = listener;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#thread.terminate();
  }

  /** Returns false if it failed. */
  async #update(connectionId: number): Promise<boolean> {
    try {
      await this.#thread.call({ task: "update", connectionId });
      return true;
    } catch (error) {
      this.#noteDamage(error);
      if (!this.#isClosed) this.#log.error({ connectionId, err: error }, "failed to index texts");
      return false;
    }
  }

  #receive(news: IndexNews): void {
    if (news.kind === "progress") this.#listener(news.connectionId);
    else if (news.kind === "lag") this.#lagPages = news.pages;
    else if (news.kind === "deleted")
      this.#log.warn(
        { reason: news.reason },
        "deleted the text index, which cannot be used; it is built anew",
      );
    else this.#log.error({ reason: news.message }, `failed to ${news.doing} a part of the text index`);
  }

  #noteDamage(error: unknown): void {
    if (!(error instanceof ThreadError) || error.failure !== "damaged") return;
    this.#log.warn({ err: error }, "deleted the text index, which is damaged; it is built anew");
  }
}
