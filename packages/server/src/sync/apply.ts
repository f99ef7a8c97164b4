import type { NodeId, Reference } from "@clew/graph";
import type { PageContent } from "../provider/port.ts";
import { batches } from "../store/batches.ts";
import { failContent, type ReadText, saveContent, saveContents } from "../store/queries/graph-pages.ts";
import { readInPart } from "../store/queries/reading-list.ts";
import { resolved } from "./node-writer.ts";
import { shownByReference } from "./resolve-parents.ts";
import type { SyncState } from "./state.ts";
import type { SyncRun } from "./sync-run.ts";

/** Nodes to a transaction: small ones let others write in between. */
const batch = 100;

/** Notes of databases that they have no text. */
export async function markAsTextless(ids: readonly NodeId[], run: SyncRun): Promise<void> {
  const none = { markdown: "", references: [], state: "empty" } as const;
  for (const some of batches(ids, batch)) {
    run.signal.throwIfAborted();
    await run.database.transaction(async (trx) => {
      await saveContents(trx, run.connectionId, new Map(some.map((id) => [id, none])));
    });
  }
}

/** Writes a page's text and its references together. `readAt` is when it was asked for, by the provider's clock. */
export async function writeText(
  id: NodeId,
  content: PageContent,
  readAt: number,
  run: SyncRun,
): Promise<void> {
  const text = textOf(id, content, readAt, run);
  await run.database.transaction((trx) => saveContent(trx, run.connectionId, id, text));
}

/** Notes that a part of a page's text could not be read. What could be is written unless the whole of before is known. */
export async function writePart(
  id: NodeId,
  content: PageContent,
  { isWholeKnown }: { isWholeKnown: boolean },
  run: SyncRun,
): Promise<void> {
  const text = textOf(id, content, readInPart, run);
  const reason = isWholeKnown ? `${leftOut}; its text is the one of before` : leftOut;
  run.log.warn({ nodeId: id }, "the provider left out a part of a page");
  await run.database.transaction(async (trx) => {
    if (!isWholeKnown) await saveContent(trx, run.connectionId, id, text);
    await failContent(trx, run.connectionId, id, reason);
  });
}

const leftOut = "The provider left out a part of this page";

function textOf(id: NodeId, content: PageContent, readAt: number, run: SyncRun): ReadText {
  const { markdown } = content;
  const references = resolved(referencesOfText(id, content, run.state), run.state);
  return { markdown, state: markdown.trim() === "" ? "empty" : "ready", readAt, references };
}

/** The references of a text. What it shows as its own and hangs elsewhere is mentioned. */
function referencesOfText(
  pageId: NodeId,
  { references, children }: PageContent,
  state: SyncState,
): Reference[] {
  const shown = shownByReference(pageId, children, state);
  return [
    ...references,
    ...shown.map(({ id, name }) => ({
      type: "mention" as const,
      targetId: id,
      name: null,
      ...(name === undefined ? {} : { targetName: name }),
      count: 1,
    })),
  ];
}

/** Notes why a page's text could not be read (SYNC-5). */
export async function writeFailure(id: NodeId, reason: string, run: SyncRun): Promise<void> {
  await run.database.transaction((trx) => failContent(trx, run.connectionId, id, reason));
}
