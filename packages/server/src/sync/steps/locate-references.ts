import type { NodeId, Reference } from "@clew/graph";
import { readContent } from "../../store/queries/graph-reading.ts";
import { saveOffsets, textsToLocate } from "../../store/queries/reference-offsets.ts";
import { batchSize, type SyncRun } from "../sync-run.ts";
import { childMentions } from "./fetch-texts.ts";

/**
 * Finds where the references in texts stand that a Clew without offsets stored (GRAPH-24). What is stored says all: the
 * provider is not asked.
 */
export async function locateReferences(run: SyncRun): Promise<void> {
  const { database, connectionId, signal } = run;
  for (;;) {
    const ids = await textsToLocate(database.read, connectionId, batchSize);
    if (ids.length === 0) return;
    const located = new Map<NodeId, readonly Reference[]>();
    for (const id of ids) {
      signal.throwIfAborted();
      const content = await readContent(database.read, connectionId, id);
      if (content !== null) located.set(id, await referencesIn(content.markdown, run));
    }
    await database.transaction((trx) => saveOffsets(trx, connectionId, located));
  }
}

/** The references in a stored text. None where the parser gives up: what it could not read has no references either. */
async function referencesIn(
  markdown: string,
  { reader, state, log }: SyncRun,
): Promise<readonly Reference[]> {
  try {
    const { references, children } = await reader.referencesIn(markdown);
    return state.redirect([...references, ...childMentions(children)]);
  } catch (error) {
    log.warn({ err: error }, "failed to find where the references in a text stand");
    return [];
  }
}
