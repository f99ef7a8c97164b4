import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import type { PageContent } from "../provider/port.ts";
import { batches } from "../store/batches.ts";
import { failContent, saveContent } from "../store/graph-pages.ts";
import type { Catalog } from "./catalog.ts";
import { resolved } from "./intake.ts";
import { shownFromElsewhere } from "./place.ts";
import type { Run } from "./run.ts";

/** Nodes to a transaction: small ones let others write in between. */
const batch = 100;

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

/** Writes a page's text, its threads and its state together. `readAt` is when it was asked for, by the provider's clock. */
export async function writeText(id: NodeId, content: PageContent, readAt: number, run: Run): Promise<void> {
  const { markdown, complete } = content;
  const state = markdown.trim() === "" ? "empty" : "ready";
  const threads = resolved(threadsOfText(id, content, run.catalog), run.catalog);
  await run.database.transaction(async (trx) => {
    await saveContent(trx, run.connectionId, id, { markdown, threads, state, readAt });
    if (!complete) await failContent(trx, run.connectionId, id, "The provider left out a part of this page");
  });
}

/** The threads of a text. What it shows as its own and hangs elsewhere is mentioned. */
function threadsOfText(pageId: NodeId, { threads, children }: PageContent, catalog: Catalog): Thread[] {
  const shown = shownFromElsewhere(pageId, children, catalog);
  return [
    ...threads,
    ...shown.map(({ id }) => ({ type: "mention", targetId: id, name: null, count: 1 }) as const),
  ];
}

/** Notes why a page's text could not be read (SYNC-5). */
export async function writeFailure(id: NodeId, reason: string, run: Run): Promise<void> {
  await run.database.transaction((trx) => failContent(trx, run.connectionId, id, reason));
}
