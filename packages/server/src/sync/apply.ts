import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import type { ListedNode, PageContent } from "../provider/port.ts";
import { batches } from "../store/batches.ts";
import { failContent, saveContent, setPropertyThreads, upsertNodes } from "../store/graph-pages.ts";
import type { Catalog } from "./catalog.ts";
import type { Run } from "./run.ts";

/** Nodes to a transaction: small ones let others write in between. */
const batch = 100;

/** Writes nodes, which must have been placed, with the threads that their properties hold. */
export async function writeNodes(nodes: readonly ListedNode[], run: Run): Promise<void> {
  const { connectionId, catalog } = run;
  for (const some of batches(nodes, batch)) {
    run.signal.throwIfAborted();
    await run.database.transaction(async (trx) => {
      const records = some.map((node) => ({ ...node, parentId: catalog.parents.get(node.id) ?? null }));
      await upsertNodes(trx, connectionId, records, run.number);
      for (const node of some)
        await setPropertyThreads(trx, connectionId, node.id, resolved(threadsOf(node), catalog));
    });
  }
}

/** All threads of a node's properties: of those that could not be read in full, the ones that were shown. */
function threadsOf(node: ListedNode): Thread[] {
  return [...node.threads, ...node.cutProperties.flatMap(({ threads }) => threads)];
}

/** A mention of a data source means its database. */
function resolved(threads: readonly Thread[], { databases }: Catalog): Thread[] {
  return threads.map((thread) => ({
    ...thread,
    targetId: databases.get(thread.targetId) ?? thread.targetId,
  }));
}

/** Notes of databases that they have no text. */
export async function markAsTextless(ids: readonly NodeId[], run: Run): Promise<void> {
  const none = { markdown: "", threads: [], state: "empty" } as const;
  for (const some of batches(ids, batch)) {
    run.signal.throwIfAborted();
    await run.database.transaction(async (trx) => {
      for (const id of some) await saveContent(trx, run.connectionId, id, none);
    });
  }
}

/** Writes a page's text, its threads and its state together. */
export async function writeText(id: NodeId, content: PageContent, run: Run): Promise<void> {
  const { markdown, complete } = content;
  const state = markdown.trim() === "" ? "empty" : "ready";
  const threads = resolved(threadsOfText(id, content, run.catalog), run.catalog);
  await run.database.transaction(async (trx) => {
    await saveContent(trx, run.connectionId, id, { markdown, threads, state });
    if (!complete) await failContent(trx, run.connectionId, id, "The provider left out a part of this page");
  });
}

/** The threads of a text. What it shows as its own and hangs elsewhere is mentioned. */
function threadsOfText(pageId: NodeId, { threads, children }: PageContent, { parents }: Catalog): Thread[] {
  const shown = children.filter(({ id }) => id !== pageId && parents.get(id) !== pageId);
  return [
    ...threads,
    ...shown.map(({ id }) => ({ type: "mention", targetId: id, name: null, count: 1 }) as const),
  ];
}

/** Notes why a page's text could not be read (SYNC-5). */
export async function writeFailure(id: NodeId, reason: string, run: Run): Promise<void> {
  await run.database.transaction((trx) => failContent(trx, run.connectionId, id, reason));
}
