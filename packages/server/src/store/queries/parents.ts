import type { NodeId } from "@clew/graph";
import type { WriteTransaction } from "../port.ts";
import { moveRevision, nextRevision } from "./changes.ts";
import { awaitTexts } from "./graph-pages.ts";
import { nodeKey } from "./node-key.ts";

/** A node that hangs elsewhere than the store says. */
export interface ParentChange {
  readonly id: NodeId;
  readonly from: NodeId | null;
  readonly to: NodeId | null;
}

/**
 * Moves nodes to where they hang. The pages that they left and came to show others as their own now, and await their
 * texts again.
 */
export async function setParents(
  trx: WriteTransaction,
  connectionId: number,
  moves: readonly ParentChange[],
): Promise<void> {
  const revision = await nextRevision(trx, connectionId);
  if (revision === null || moves.length === 0) return;
  for (const { id, to } of moves) {
    await trx
      .updateTable("nodes")
      .set({ parent_id: to === null ? null : nodeKey(to), changed_revision: revision })
      .where("connection_id", "=", connectionId)
      .where("id", "=", nodeKey(id))
      .execute();
  }
  const touched = new Set(moves.flatMap(({ from, to }) => [from, to].filter((id) => id !== null)));
  await awaitTexts(trx, connectionId, [...touched].map(nodeKey));
  await moveRevision(trx, connectionId);
}
