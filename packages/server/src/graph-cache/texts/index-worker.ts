import { workerData } from "node:worker_threads";
import { IndexDamagedError } from "@clew/text-index";
import { deleteTextIndex, openReader, openTextWriter } from "../../store/database.ts";
import { readFingerprint } from "../../store/queries/installation.ts";
import { answerCalls, sendNews } from "../threads/thread.ts";
import { createIndexer, type Indexer } from "./indexer.ts";
import type { TextSnapshot } from "./snapshot.ts";
import type { IndexCall, IndexNews } from "./texts.ts";

// The one thread of the process that writes the text index. It opens the index with its first call.

/** `createTextIndex` starts this thread with the database's location. */
const location = workerData as string;
const database = await openReader(location);
let opening: Promise<Indexer> | null = null;
/** The update of each connection that came last. */
const updates = new Map<number, Promise<void>>();

const news = (message: IndexNews) => sendNews(message);

async function open(): Promise<Indexer> {
  const fingerprint = (await readFingerprint(database.read)) ?? new Uint8Array();
  const texts = await openTextWriter(location, fingerprint, (reason) => news({ kind: "deleted", reason }));
  const onProgress = (connectionId: number) => news({ kind: "progress", connectionId });
  return createIndexer({ database, texts, clock: Date.now, onProgress });
}

function indexer(): Promise<Indexer> {
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
  await (await closing?.catch(() => null))?.close().catch(() => {});
  await deleteTextIndex(location);
}

async function update(connectionId: number): Promise<void> {
  const before = updates.get(connectionId);
  const turn = (async () => {
    await before?.catch(() => {});
    const current = await indexer();
    await current.update(connectionId);
    current.mergeLater(connectionId, (error) => news({ kind: "failed", message: String(error) }));
  })();
  updates.set(connectionId, turn);
  try {
    await turn;
  } finally {
    if (updates.get(connectionId) === turn) updates.delete(connectionId);
  }
}

async function answer(call: IndexCall): Promise<TextSnapshot | null> {
  switch (call.task) {
    case "open":
      return (await indexer()).open(call.connectionId, call.graphIds);
    case "update":
      await update(call.connectionId);
      return null;
    case "tidy":
      await (await indexer()).tidy();
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
});
