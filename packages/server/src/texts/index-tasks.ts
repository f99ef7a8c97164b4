import { IndexDamagedError } from "@clew/text-index";
import { deleteTextIndex, openTextWriter } from "../store/database.ts";
import type { ReadHandle, TextWriter } from "../store/port.ts";
import { readFingerprint } from "../store/queries/installation.ts";
import { Indexer } from "./indexer.ts";
import { SegmentMerger } from "./segment-merger.ts";
import { StoredIndex } from "./stored-index.ts";
import type { IndexCall, IndexNews, IndexThreadData } from "./text-index.ts";
import type { TextSnapshot } from "./text-snapshots.ts";

/** The index, with all that works on it. */
interface OpenIndex {
  readonly texts: TextWriter;
  readonly index: StoredIndex;
  readonly indexer: Indexer;
  readonly merger: SegmentMerger;
}

/**
 * The work of the index thread. It is the one part of the process that opens the text index and, unless other processes alone do,
 * writes it. It opens the index with its first call.
 */
export class IndexTasks {
  readonly #db: ReadHandle;
  readonly #data: IndexThreadData;
  readonly #news: (message: IndexNews) => void;
  #opening: Promise<OpenIndex> | null = null;
  /** The update of each connection that came last. */
  readonly #updates = new Map<number, Promise<boolean>>();

  constructor(db: ReadHandle, data: IndexThreadData, news: (message: IndexNews) => void) {
    this.#db = db;
    this.#data = data;
    this.#news = news;
  }

  /** Answers a call. Deletes an index that turns out to be damaged, and rejects. */
  async answer(call: IndexCall): Promise<TextSnapshot | null> {
    try {
      return await this.#answer(call);
    } catch (error) {
      if (error instanceof IndexDamagedError) await this.#reset();
      throw error;
    }
  }

  async #answer(call: IndexCall): Promise<TextSnapshot | null> {
    switch (call.task) {
      case "open":
        return (await this.#opened()).index.open(call.connectionId, call.graphIds);
      case "update":
        await this.#update(call.connectionId, true);
        return null;
      case "tend":
        await this.#tend(call.heldIds);
        return null;
      case "reset":
        await this.#reset();
        return null;
    }
  }

  #opened(): Promise<OpenIndex> {
    this.#opening ??= this.#open().catch((error) => {
      this.#opening = null;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<OpenIndex> {
    const fingerprint = (await readFingerprint(this.#db)) ?? new Uint8Array();
    const onDeleted = (reason: string) => this.#news({ kind: "deleted", reason });
    const texts = await openTextWriter(this.#data.location, fingerprint, onDeleted);
    const onProgress = (connectionId: number) => this.#news({ kind: "progress", connectionId });
    const index = new StoredIndex(texts);
    return {
      texts,
      index,
      indexer: new Indexer({ db: this.#db, texts, index, onProgress }),
      merger: new SegmentMerger(this.#db, texts, index),
    };
  }

  /** Deletes the index, which the next call creates anew. */
  async #reset(): Promise<void> {
    const closing = this.#opening;
    this.#opening = null;
    const current = await closing?.catch(() => null);
    await current?.merger.settled();
    await current?.texts.close().catch(() => {});
    await deleteTextIndex(this.#data.location);
  }

  /** Updates a connection's index, one call after the other; false if another process does it and the caller does not wait. */
  async #update(connectionId: number, waits: boolean): Promise<boolean> {
    const before = this.#updates.get(connectionId);
    const turn = (async () => {
      await before?.catch(() => {});
      const { indexer, merger } = await this.#opened();
      const isDone = await indexer.update(connectionId, { waits });
      const onError = (error: unknown) =>
        this.#news({ kind: "failed", doing: "merge", message: String(error) });
      if (isDone) merger.mergeLater(connectionId, onError);
      return isDone;
    })();
    this.#updates.set(connectionId, turn);
    try {
      return await turn;
    } finally {
      if (this.#updates.get(connectionId) === turn) this.#updates.delete(connectionId);
    }
  }

  /** Sends news of what any process has indexed, and before that indexes what none has. */
  async #tend(heldIds: readonly number[]): Promise<void> {
    if (this.#data.writes) await this.#indexOutdated();
    const { index } = await this.#opened();
    for (const connectionId of await index.changed(heldIds)) this.#news({ kind: "progress", connectionId });
  }

  async #indexOutdated(): Promise<void> {
    const { indexer } = await this.#opened();
    await indexer.tidy();
    const outdated = await indexer.outdated();
    this.#news({ kind: "lag", pages: await indexer.countLag(outdated) });
    for (const id of outdated) {
      await this.#update(id, false).catch((error) => {
        if (error instanceof IndexDamagedError) throw error;
        this.#news({ kind: "failed", doing: "index", message: String(error) });
      });
    }
  }
}
