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
const updates = new Map<number, Promise<boolean>>();

const news = (message: IndexNews) => sendNews(message);

async function open(): Promise<Indexer> {
  const fingerprint = (await readFingerprint(database.read)) ?? new Uint8Array();
  const texts = await openTextWriter(location, fingerprint, (reason) => news({ kind: "deleted", reason }));
  const onProgress = (connectionId: number) => news({ kind: "progress", connectionId });
  return createIndexer({ database, texts, onProgress });
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

/** Updates a connection's index, one call after the other; false if another process does it and the caller does not wait. */
async function update(connectionId: number, waits: boolean): Promise<boolean> {
  const before = updates.get(connectionId);
  const turn = (async () => {
    await before?.catch(() => {});
    const current = await indexer();
    const isDone = await current.update(connectionId, { waits });
    const onError = (error: unknown) => news({ kind: "failed", doing: "merge", message: String(error) });
    if (isDone) current.mergeLater(connectionId, onError);
    return isDone;
  })();
  updates.set(connectionId, turn);
  try {
    return await turn;
  } finally {
    if (updates.get(connectionId) === turn) updates.delete(connectionId);
  }
}

/** Indexes what no process has indexed yet, and sends news of what any process has. */
async function tend(): Promise<void> {
  const current = await indexer();
  await current.tidy();
  for (const id of await current.outdated()) {
    await update(id, false).catch((error) => {
      if (error instanceof IndexDamagedError) throw error;
      news({ kind: "failed", doing: "index", message: String(error) });
    });
  }
  for (const connectionId of await current.changed()) news({ kind: "progress", connectionId });
}

async function answer(call: IndexCall): Promise<TextSnapshot | null> {
  switch (call.task) {
    case "open":
      return (await indexer()).open(call.connectionId, call.graphIds);
    case "update":
      await update(call.connectionId, true);
      return null;
    case "tend":
      await tend();
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
}, database);
