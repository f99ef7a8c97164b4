import { type Aspect, aspects } from "@clew/contract/vocabulary";
import type { NodeId } from "@clew/graph";
import type { ReadHandle } from "../port.ts";
import { revisionColumns } from "./changes.ts";
import { nodeIdOf, nodeKey, nodesOf } from "./statements.ts";

/** A removal of a node that a graph of this version no longer has. */
export interface Removal {
  readonly nodeId: NodeId;
  /** When Clew noticed, in milliseconds since the Unix epoch. */
  readonly at: number;
}

interface WantedRemovals {
  /** Removals at this time or later, in milliseconds since the Unix epoch. */
  readonly since: number;
  /** The version of the served graph: later removals are left out. */
  readonly upTo: number;
  /** The time and id of the last item so far. */
  readonly after: { readonly at: number; readonly nodeId: NodeId } | null;
  readonly limit: number;
}

/** The latest removal of each of a connection's nodes, the newest first, then by id. */
export async function removalsSince(
  db: ReadHandle,
  connectionId: number,
  { since, upTo, after, limit }: WantedRemovals,
): Promise<Removal[]> {
  const rows = await db
    .selectFrom(
      db
        .selectFrom("tombstones")
        .select(({ fn }) => ["node_id", fn.max("removed_at").as("removed_at")])
        .where("connection_id", "=", connectionId)
        .where("removed_at", ">=", since)
        .where("revision", "<=", upTo)
        .groupBy("node_id")
        .as("removals"),
    )
    .select(["node_id", "removed_at"])
    .$if(after !== null, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb("removed_at", "<", after?.at ?? 0),
          and([eb("removed_at", "=", after?.at ?? 0), eb("node_id", ">", nodeKey(after?.nodeId ?? ""))]),
        ]),
      ),
    )
    .orderBy("removed_at", "desc")
    .orderBy("node_id")
    .limit(limit)
    .execute();
  return rows.map(({ node_id, removed_at }) => ({ nodeId: nodeIdOf(node_id), at: removed_at }));
}

/** The aspects that the last edit of each node changed, as far as Clew saw; nodes without such an edit are left out. */
export async function lastEdits(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<Map<NodeId, readonly Aspect[]>> {
  if (ids.length === 0) return new Map();
  const rows = await nodesOf(db, connectionId)
    .select(["id", "edited_revision", ...aspects.map((aspect) => revisionColumns[aspect])])
    .where("id", "in", ids.map(nodeKey))
    .where("edited_revision", ">", 0)
    .execute();
  return new Map(
    rows.map((row) => [
      nodeIdOf(row.id),
      aspects.filter((aspect) => row[revisionColumns[aspect]] >= row.edited_revision),
    ]),
  );
}
