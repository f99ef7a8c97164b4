import { combined, type NodeId, type Reference } from "@clew/graph";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { nodeIdOf, nodeKey } from "./statements.ts";

/* The offsets of references in texts. `saveContents` stores them with each text; schema.ts describes their form. */

/** Nodes whose texts were stored without offsets, at most `limit`. */
export async function textsToLocate(db: ReadHandle, connectionId: number, limit: number): Promise<NodeId[]> {
  const rows = await db
    .selectFrom("contents")
    .select("node_id")
    .where("connection_id", "=", connectionId)
    .where("reference_offsets", "is", null)
    .orderBy("node_id")
    .limit(limit)
    .execute();
  return rows.map(({ node_id }) => nodeIdOf(node_id));
}

/** Stores the offsets of references in stored texts. `located` are those that a parser finds, in any order. */
export async function saveOffsets(
  trx: WriteTransaction,
  connectionId: number,
  located: ReadonlyMap<NodeId, readonly Reference[]>,
): Promise<void> {
  const stored = await textReferences(trx, connectionId, [...located.keys()]);
  for (const [nodeId, references] of located) {
    const found = Map.groupBy(references, edgeOf);
    const offsets = (stored.get(nodeId) ?? []).map((row) => {
      const [first, ...others] = found.get(edgeOf(row)) ?? [];
      return first === undefined ? [] : (others.reduce(combined, first).offsets ?? []);
    });
    await trx
      .updateTable("contents")
      .set({ reference_offsets: JSON.stringify(offsets) })
      .where("connection_id", "=", connectionId)
      .where("node_id", "=", nodeKey(nodeId))
      .execute();
  }
}

const edgeOf = ({ type, targetId }: Pick<Reference, "type" | "targetId">) => `${type} ${targetId}`;

/** The references in the texts of these nodes, in order. */
async function textReferences(db: ReadHandle, connectionId: number, ids: readonly NodeId[]) {
  const rows = await db
    .selectFrom("node_references")
    .select(["from_id", "type", "target_id"])
    .where("connection_id", "=", connectionId)
    .where("from_id", "in", ids.map(nodeKey))
    .where("source", "=", "text")
    .orderBy("from_id")
    .orderBy("position")
    .execute();
  const references = rows.map(({ from_id, type, target_id }) => ({
    from: nodeIdOf(from_id),
    type,
    targetId: nodeIdOf(target_id),
  }));
  return Map.groupBy(references, ({ from }) => from);
}

/** The place of a link to a node in a text. */
interface LocatedLink {
  readonly type: Reference["type"];
  readonly targetId: NodeId;
  /** In code points. */
  readonly offsets: readonly number[];
}

/** A node's text, and where it links to some targets. Null if there is no text, or its references are not located yet. */
export async function textOfLinks(
  db: ReadHandle,
  connectionId: number,
  nodeId: NodeId,
  targets: readonly NodeId[],
): Promise<{ readonly markdown: string; readonly links: readonly LocatedLink[] } | null> {
  const content = await db
    .selectFrom("contents")
    .select(["markdown", "reference_offsets"])
    .where("connection_id", "=", connectionId)
    .where("node_id", "=", nodeKey(nodeId))
    .executeTakeFirst();
  if (!content?.reference_offsets) return null;
  // Written by `saveContents` and `saveOffsets`.
  const offsets = JSON.parse(content.reference_offsets) as number[][];
  const rows = await db
    .selectFrom("node_references")
    .select(["position", "type", "target_id"])
    .where("connection_id", "=", connectionId)
    .where("from_id", "=", nodeKey(nodeId))
    .where("source", "=", "text")
    .where("target_id", "in", targets.map(nodeKey))
    .orderBy("position")
    .execute();
  const links = rows.map(({ position, type, target_id }) => ({
    type,
    targetId: nodeIdOf(target_id),
    offsets: offsets[position] ?? [],
  }));
  return { markdown: content.markdown, links };
}
