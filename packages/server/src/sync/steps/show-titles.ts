import { setImmediate } from "node:timers/promises";
import type { NodeId } from "@clew/graph";
import { readContent } from "../../store/queries/graph-reading.ts";
import {
  databasesShowing,
  describedDatabases,
  nodesShowing,
  nodesWithEarlierTexts,
  type RetitledText,
  recordShownTitles,
  renamedAfter,
  saveRetitled,
  titleRevisions,
} from "../../store/queries/shown-titles.ts";
import type { NodePosition } from "../../store/queries/statements.ts";
import {
  batchSize,
  type StateToRead,
  type StoreToRead,
  type StoreToWrite,
  type SyncContext,
  type TextsToRead,
} from "../context.ts";
import { IdMap } from "../id-map.ts";
import { childMentions } from "./fetch-texts.ts";
import { titlesToReplace } from "./known-titles.ts";

/** Nodes whose titles are looked for in texts at a time. */
const nodesAtATime = 500;

/** Characters of texts that may wait to be written. */
const maxWaitingCharacters = 1_000_000;

/**
 * Replaces the titles that stored texts show of pages and databases that were added or renamed since the last call (SYNC-12).
 * The provider is not asked. What an interrupted run leaves, the next one does.
 */
export async function showTitles(
  context: StoreToWrite & StateToRead & TextsToRead & Pick<SyncContext, "log" | "signal">,
): Promise<void> {
  const { connectionId, database, signal } = context;
  const revisions = await titleRevisions(database.read, connectionId);
  if (revisions === null || revisions.shown === revisions.stored) return;
  let waiting = new Map<NodeId, RetitledText>();
  let characters = 0;
  const write = async () => {
    if (waiting.size > 0) await database.transaction((trx) => saveRetitled(trx, connectionId, waiting));
    waiting = new Map();
    characters = 0;
  };
  for await (const id of textsToCheck(revisions.shown, context)) {
    // Reading from a file leaves other work no turn.
    await setImmediate();
    signal.throwIfAborted();
    const text = await retitled(id, context);
    if (text === null) continue;
    waiting.set(id, text);
    characters += text.markdown.length;
    if (waiting.size >= batchSize || characters >= maxWaitingCharacters) await write();
  }
  await write();
  await database.transaction((trx) => recordShownTitles(trx, connectionId, revisions.stored));
}

/** The nodes with texts that may show an earlier title, each once. */
async function* textsToCheck(since: number, { connectionId, database }: StoreToRead): AsyncGenerator<NodeId> {
  const checked = new IdMap();
  /** Read once a node was renamed: most edits rename none. */
  let others: { readonly described: readonly NodeId[]; readonly earlier: readonly NodeId[] } | null = null;
  let position: NodePosition | null = { revision: since, key: new Uint8Array() };
  while (position !== null) {
    const { nodes, end } = await renamedAfter(database.read, connectionId, since, {
      position,
      limit: nodesAtATime,
    });
    if (nodes.length === 0) return;
    others ??= {
      described: await describedDatabases(database.read, connectionId),
      earlier: await nodesWithEarlierTexts(database.read, connectionId),
    };
    const showing = [
      ...(await nodesShowing(database.read, connectionId, nodes)),
      ...(await databasesShowing(database.read, connectionId, others.described, nodes)),
      ...others.earlier,
    ];
    for (const id of showing) {
      if (checked.has(id)) continue;
      checked.set(id, null);
      yield id;
    }
    position = end;
  }
}

/** A node's text with the titles of the graph; null if it shows them already. */
async function retitled(
  id: NodeId,
  context: StoreToRead & StateToRead & TextsToRead & Pick<SyncContext, "log" | "signal">,
): Promise<RetitledText | null> {
  const { reader, state, log, signal, database, connectionId } = context;
  const { texts } = reader;
  const content = await readContent(database.read, connectionId, id);
  if (content === null) return null;
  try {
    const titles = await titlesToReplace(await texts.titlesIn(content.markdown), context);
    if (titles.size === 0) return null;
    const { markdown, references, children } = await texts.withTitles(content.markdown, titles);
    if (markdown === content.markdown) return null;
    return { markdown, references: state.redirect([...references, ...childMentions(children)]) };
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error, nodeId: id }, "failed to find the titles that a text shows");
    return null;
  }
}
