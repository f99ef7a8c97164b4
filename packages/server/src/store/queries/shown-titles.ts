import type { NodeId, Reference } from "@clew/graph";
import { countCodePoints } from "@clew/text/basics";
import { sql } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import { moveRevision } from "./changes.ts";
import { digestOf } from "./graph-pages.ts";
import { precompiledLists } from "./precompiled.ts";
import { nodesToRead } from "./reading-list.ts";
import { saveOffsets } from "./reference-offsets.ts";
import { saveTargetNames } from "./references.ts";
import {
  batches,
  type NodePosition,
  nodeIdOf,
  nodeIdOrNull,
  nodeKey,
  nodesChangedAfter,
  nodesOf,
  setInNodes,
  updateConnection,
  updateNodes,
} from "./statements.ts";

/* The titles of other nodes that texts show (SYNC-12), and the nodes whose titles they may show outdated. */

const titles = precompiledLists((db, connectionIds: readonly number[], keys: readonly Uint8Array[]) =>
  db
    .selectFrom("nodes")
    .select(["id", "title"])
    .where("connection_id", "in", connectionIds)
    .where("id", "in", keys),
);

/** The titles of those of these nodes that are there. */
export async function titlesOf(
  db: ReadHandle,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<Map<NodeId, string>> {
  const found = new Map<NodeId, string>();
  for (const some of batches(ids, 1000))
    for (const { id, title } of await titles(db, [connectionId], some.map(nodeKey)))
      found.set(nodeIdOf(id), title);
  return found;
}

/** The revision whose titles texts show, or later ones, and that of the stored graph; null if the connection is gone. */
export async function titleRevisions(
  db: ReadHandle,
  connectionId: number,
): Promise<{ readonly shown: number; readonly stored: number } | null> {
  const row = await db
    .selectFrom("connections")
    .select(["shown_titles_revision as shown", "revision as stored"])
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row ?? null;
}

/** Records that texts show the titles that nodes had at this revision, or later ones. */
export async function recordShownTitles(
  trx: WriteTransaction,
  connectionId: number,
  revision: number,
): Promise<void> {
  await updateConnection(trx, connectionId).set({ shown_titles_revision: revision }).execute();
}

/** A node that was added or renamed. */
interface RenamedNode {
  readonly key: Uint8Array;
  /** The page that shows it as its own. */
  readonly parentId: NodeId | null;
}

/** The nodes after a position that were added or renamed after a revision, at most `limit`, and where they end. */
export async function renamedAfter(
  db: ReadHandle,
  connectionId: number,
  revision: number,
  { position, limit }: { readonly position: NodePosition; readonly limit: number },
): Promise<{ readonly nodes: readonly RenamedNode[]; readonly end: NodePosition | null }> {
  const rows = await nodesChangedAfter(db, connectionId, position)
    .select(["id as key", "parent_id", "changed_revision"])
    .where(({ or, eb }) => or([eb("title_revision", ">", revision), eb("added_revision", ">", revision)]))
    .orderBy("changed_revision")
    .orderBy("nodes.id")
    .limit(limit)
    .execute();
  const last = rows.at(-1);
  const nodes = rows.map(({ key, parent_id }) => ({ key, parentId: nodeIdOrNull(parent_id) }));
  return { nodes, end: last === undefined ? null : { revision: last.changed_revision, key: last.key } };
}

/** The databases that have a description, which is their text. Its references count as those of properties. */
export async function describedDatabases(db: ReadHandle, connectionId: number): Promise<NodeId[]> {
  const rows = await nodesOf(db, connectionId)
    .select("id")
    .where("type", "=", "database")
    .where("description", "is not", null)
    .execute();
  return rows.map(({ id }) => nodeIdOf(id));
}

/** Those of these databases whose descriptions may show titles of these nodes. */
export async function databasesShowing(
  db: ReadHandle,
  connectionId: number,
  described: readonly NodeId[],
  nodes: readonly RenamedNode[],
): Promise<NodeId[]> {
  const showing = new Set<NodeId>();
  const keys = nodes.map(({ key }) => key);
  for (const some of batches(described, 1000)) {
    const rows = await db
      .selectFrom("node_references")
      .select("from_id")
      .where("connection_id", "=", connectionId)
      .where("from_id", "in", some.map(nodeKey))
      .where("source", "=", "properties")
      .where("target_id", "in", keys)
      .execute();
    for (const { from_id } of rows) showing.add(nodeIdOf(from_id));
  }
  return [...showing];
}

/** The nodes whose texts may show titles of these nodes: those that name them, and their parents. */
export async function nodesShowing(
  db: ReadHandle,
  connectionId: number,
  nodes: readonly RenamedNode[],
): Promise<NodeId[]> {
  if (nodes.length === 0) return [];
  const keys = nodes.map(({ key }) => key);
  const parents = [...new Set(nodes.flatMap(({ parentId }) => parentId ?? []))].map(nodeKey);
  const rows = await db
    .selectFrom("node_references")
    .select("from_id as key")
    .where("connection_id", "=", connectionId)
    // A constant, as in the condition of the index.
    .where("source", "=", sql.lit("text"))
    .where("target_id", "in", keys)
    .$if(parents.length > 0, (named) =>
      named.union(
        db
          .selectFrom("contents")
          .select("node_id as key")
          .where("connection_id", "=", connectionId)
          .where("node_id", "in", parents)
          .where("total_chars", ">", 0),
      ),
    )
    .execute();
  return rows.map(({ key }) => nodeIdOf(key));
}

/**
 * The nodes that show an earlier text, because the new one is still to be read or reading it failed. An earlier text may show pages that
 * were below the node and are elsewhere now: no reference is stored of these.
 */
export async function nodesWithEarlierTexts(db: ReadHandle, connectionId: number): Promise<NodeId[]> {
  const rows = await nodesToRead(db, connectionId)
    .select("id")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("contents")
          .select("node_id")
          .whereRef("contents.connection_id", "=", "nodes.connection_id")
          .whereRef("contents.node_id", "=", "nodes.id")
          .where("total_chars", ">", 0),
      ),
    )
    .execute();
  return rows.map(({ id }) => nodeIdOf(id));
}

/** A text with other titles of other nodes, and the references in it. */
export interface RetitledText {
  readonly markdown: string;
  readonly references: readonly Reference[];
}

/** Replaces texts by themselves with other titles. They count as read when they were, and their pages as not edited. */
export async function saveRetitled(
  trx: WriteTransaction,
  connectionId: number,
  texts: ReadonlyMap<NodeId, RetitledText>,
): Promise<void> {
  if (texts.size === 0) return;
  const revision = await moveRevision(trx, connectionId);
  if (revision === null) return;
  for (const [nodeId, { markdown }] of texts) {
    await trx
      .updateTable("contents")
      .set({ markdown, total_chars: countCodePoints(markdown), digest: digestOf(markdown) })
      .where("connection_id", "=", connectionId)
      .where("node_id", "=", nodeKey(nodeId))
      .execute();
    // The next listing compares it with what the provider shows.
    await updateNodes(trx, connectionId, [nodeId])
      .set({ description: markdown })
      .where("description", "is not", null)
      .execute();
  }
  const located = new Map([...texts].map(([nodeId, { references }]) => [nodeId, references]));
  await saveOffsets(trx, connectionId, located);
  await saveTargetNames(trx, connectionId, located);
  await setInNodes(trx, connectionId, [...texts.keys()], {
    changed_revision: revision,
    retitled_revision: revision,
  });
}
