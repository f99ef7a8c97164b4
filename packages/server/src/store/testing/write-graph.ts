import type { NodeId, Reference } from "@clew/graph";
import type { WriteTransaction } from "../port.ts";
import { stampChanged } from "../queries/changes.ts";
import { type ReadText, saveContents } from "../queries/graph-pages.ts";
import { knownNodes } from "../queries/known-nodes.ts";
import { replaceReferences } from "../queries/references.ts";

/** Replaces the references that the properties of a node hold. */
export async function setPropertyReferences(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  references: readonly Reference[],
): Promise<void> {
  const known = await knownNodes(trx, connectionId, [nodeId]);
  if (!known.has(nodeId)) return;
  const held = new Map([[nodeId, references]]);
  const changed = await replaceReferences(trx, connectionId, "properties", held);
  await stampChanged(trx, connectionId, "references", changed);
}

/** Saves the text of one node. */
export function saveContent(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  text: ReadText,
): Promise<void> {
  return saveContents(trx, connectionId, new Map([[nodeId, text]]));
}
