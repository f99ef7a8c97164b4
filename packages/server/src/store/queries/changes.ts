import { randomUUID } from "node:crypto";
import type { Aspect } from "@clew/contract/vocabulary";
import type { NodeId } from "@clew/graph";
import type { Updateable } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { precompiled } from "./precompiled.ts";
import { liveConnections } from "./removed-connections.ts";
import { setInNodes, updateConnection } from "./statements.ts";

/*
 * How changes become known (GRAPH-11). A change of nodes, texts or references moves the connection's revision and stamps
 * the nodes with the new one, in the same transaction. A write that changes nothing does neither. Each aspect of a node
 * has the revision of its own latest change; icon, address, aliases and times belong to none (GRAPH-27).
 */

/** The column with the revision in which an aspect of a node last changed (GRAPH-27). */
export const revisionColumns = {
  title: "title_revision",
  text: "text_revision",
  parent: "parent_revision",
  properties: "properties_revision",
  references: "references_revision",
} as const satisfies Record<Aspect, keyof Tables["nodes"]>;

const revisionOf = precompiled((db: ReadHandle, connectionId: number) =>
  db.selectFrom("connections").select("revision").where("id", "=", connectionId),
);

/** The revision of the stored graph, published or not; null if the connection is gone. */
export async function graphRevision(db: ReadHandle, connectionId: number): Promise<number | null> {
  const [row] = await revisionOf(db, connectionId);
  return row?.revision ?? null;
}

/** The revision that the next change moves the connection to; null if the connection is gone. */
export async function nextRevision(trx: WriteTransaction, connectionId: number): Promise<number | null> {
  const revision = await graphRevision(trx, connectionId);
  return revision === null ? null : revision + 1;
}

/** Which graph of a connection is stored. */
export interface StoredVersion {
  readonly revision: number;
  /** Random: after a restore, the same revision may come again with another graph. null before the first change. */
  readonly mark: string | null;
}

const storedVersionOf = precompiled((db: ReadHandle, connectionId: number) =>
  liveConnections(db).select(["revision", "graph_mark as mark"]).where("id", "=", connectionId),
);

/** The version of the stored graph, published or not; null if the connection is gone. */
export async function storedVersion(db: ReadHandle, connectionId: number): Promise<StoredVersion | null> {
  const [version] = await storedVersionOf(db, connectionId);
  return version ?? null;
}

/** Moves the connection to its next revision, and returns that; null if the connection is gone. */
export async function moveRevision(trx: WriteTransaction, connectionId: number): Promise<number | null> {
  const moved = await updateConnection(trx, connectionId)
    .set(({ eb }) => ({ revision: eb("revision", "+", 1), graph_mark: randomUUID() }))
    .returning("revision")
    .executeTakeFirst();
  return moved?.revision ?? null;
}

/** For an update of nodes: the revision that an aspect changed with, to which the caller moves the connection. */
export function stampOf(aspect: Aspect, revision: number): Updateable<Tables["nodes"]> {
  return { changed_revision: revision, [revisionColumns[aspect]]: revision };
}

/** Stamps nodes whose aspect changed with a revision of their own, if there are any and the connection is still there. */
export async function stampChanged(
  trx: WriteTransaction,
  connectionId: number,
  aspect: Aspect,
  ids: readonly NodeId[],
): Promise<void> {
  if (ids.length === 0) return;
  const revision = await moveRevision(trx, connectionId);
  if (revision !== null) await setInNodes(trx, connectionId, ids, stampOf(aspect, revision));
}

/** Forgets removals from before a time, in milliseconds since the Unix epoch, and notes up to which revision. */
export async function purgeTombstones(
  trx: WriteTransaction,
  connectionId: number,
  before: number,
): Promise<void> {
  const purged = await trx
    .deleteFrom("tombstones")
    .where("connection_id", "=", connectionId)
    .where("removed_at", "<", before)
    .returning("revision")
    .execute();
  if (purged.length === 0) return;
  const forgotten = purged.reduce((highest, { revision }) => Math.max(highest, revision), 0);
  await updateConnection(trx, connectionId)
    .set({ forgotten_revision: forgotten })
    .where("forgotten_revision", "<", forgotten)
    .execute();
}
