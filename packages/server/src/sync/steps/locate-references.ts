import type { NodeId, Reference } from "@clew/graph";
import { readContent } from "../../store/queries/graph-reading.ts";
import { saveOffsets, textsToLocate } from "../../store/queries/reference-offsets.ts";
import {
  batchSize,
  type StateToRead,
  type StoreToWrite,
  type SyncContext,
  type TextsToRead,
} from "../context.ts";
import { childMentions } from "./fetch-texts.ts";

/** Adds missing offsets to references stored by older versions (GRAPH-24). */
export async function locateReferences(
  context: StoreToWrite & StateToRead & TextsToRead & Pick<SyncContext, "log" | "signal">,
): Promise<void> {
  const { database, connectionId, signal } = context;
  for (;;) {
    const ids = await textsToLocate(database.read, connectionId, batchSize);
    if (ids.length === 0) return;
    const located = new Map<NodeId, readonly Reference[]>();
    for (const id of ids) {
      signal.throwIfAborted();
      const content = await readContent(database.read, connectionId, id);
      if (content !== null) located.set(id, await referencesIn(content.markdown, context));
    }
    await database.transaction((trx) => saveOffsets(trx, connectionId, located));
  }
}

/** The references in a stored text. None if the parser gives up: what it could not read has no references either. */
async function referencesIn(
  markdown: string,
  { reader, state, log }: StateToRead & TextsToRead & Pick<SyncContext, "log">,
): Promise<readonly Reference[]> {
  try {
    const { references, children } = await reader.texts.referencesIn(markdown);
    return state.redirect([...references, ...childMentions(children)]);
  } catch (error) {
    log.warn({ err: error }, "failed to locate references in a text");
    return [];
  }
}
