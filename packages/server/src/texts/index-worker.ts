import { workerData } from "node:worker_threads";
import { IndexDamagedError } from "@clew/text-index";
import { answerCalls, sendNews } from "@clew/threads";
import { deleteTextIndex, openReader, openTextWriter } from "../store/database.ts";
import { readFingerprint } from "../store/queries/installation.ts";
import { errorsOf } from "../threads/errors.ts";
import { Indexer } from "./indexer.ts";
import { SegmentMerger } from "./segment-merger.ts";
import { StoredIndex } from "./stored-index.ts";
import type { IndexCall, IndexNews, IndexThreadData } from "./text-index.ts";
import type { TextSnapshot } from "./text-snapshots.ts";

// The one thread of the process that opens the text index and, unless other processes alone do, writes it. It opens the index with
// its first call.

/** `TextIndex` starts this thread with it. */
const { location, writes } = workerData as IndexThreadData;
const database = await openReader(location);
let opening: ReturnType<typeof open> | null = null;
/** The update of each connection that came last. */
const updates = new Map<number, Promise<boolean>>();

const news = (message: IndexNews) => sendNews(message);

/** Opens the index, with all that works on it. */
async function open() {
  const fingerprint = (await readFingerprint(database.read)) ?? new Uint8Array();
  const texts = await openTextWriter(location, fingerprint, (reason) => news({ kind: "deleted", reason }));
  const onProgress = (connectionId: number) => news({ kind: "progress", connectionId });
  const index = new StoredIndex(texts);
  return {
    texts,
    index,
    indexer: new Indexer({ db: database.read, texts, index, onProgress }),
    merger: new SegmentMerger(database.read, texts, index),
  };
}

function opened(): ReturnType<typeof open> {
  opening ??= open().catch((error) => {
    opening = null;
    throw error;
  });
  return opening;
}

/** Deletes the index, which the next call creates anew. */
async function reset(): Promise<void> {
  const closing = opening;
  opening = null;
  const current = await closing?.catch(() => null);
  await current?.merger.settled();
  await current?.texts.close().catch(() => {});
  await deleteTextIndex(location);
}

/** Updates a connection's index, one call after the other; false if another process does it and the caller does not wait. */
async function update(connectionId: number, waits: boolean): Promise<boolean> {
  const before = updates.get(connectionId);
  const turn = (async () => {
    await before?.catch(() => {});
    const { indexer, merger } = await opened();
    const isDone = await indexer.update(connectionId, { waits });
    const onError = (error: unknown) => news({ kind: "failed", doing: "merge", message: String(error) });
    if (isDone) merger.mergeLater(connectionId, onError);
    return isDone;
  })();
  updates.set(connectionId, turn);
  try {
    return await turn;
  } finally {
    if (updates.get(connectionId) === turn) updates.delete(connectionId);
  }
}

/** Sends news of what any process has indexed, and before that indexes what none has. */
async function tend(heldIds: readonly number[]): Promise<void> {
  if (writes) await indexOutdated();
  const { index } = await opened();
  for (const connectionId of await index.changed(heldIds)) news({ kind: "progress", connectionId });
}

async function indexOutdated(): Promise<void> {
  const { indexer } = await opened();
  await indexer.tidy();
  const outdated = await indexer.outdated();
  news({ kind: "lag", pages: await indexer.countLag(outdated) });
  for (const id of outdated) {
    await update(id, false).catch((error) => {
      if (error instanceof IndexDamagedError) throw error;
      news({ kind: "failed", doing: "index", message: String(error) });
    });
  }
}

async function answer(call: IndexCall): Promise<TextSnapshot | null> {
  switch (call.task) {
    case "open":
      return (await opened()).index.open(call.connectionId, call.graphIds);
    case "update":
      await update(call.connectionId, true);
      return null;
    case "tend":
      await tend(call.heldIds);
      return null;
    case "reset":
      await reset();
      return null;
  }
}

answerCalls(async (call: IndexCall) => {
  try {
    return await answer(call);
  } catch (error) {
    if (error instanceof IndexDamagedError) await reset();
    throw error;
  }
}, errorsOf(database));
