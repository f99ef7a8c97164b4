import { createHash } from "node:crypto";
import type { NodeId, Reference } from "@clew/graph";
import { batches } from "../batches.ts";
import type { WriteTransaction } from "../port.ts";
import { precompiled } from "../sqlite/precompiled.ts";
import { insertTombstones, moveRevision, nextRevision, stampNode } from "./changes.ts";
import { nodeKey } from "./node-key.ts";
import { type Observation, type ReadNode, touchNode, writeNodes } from "./nodes.ts";
import { replaceReferences } from "./references.ts";

/*
 * What a sync writes. A connection or node that was removed meanwhile is never revived: writing to it does nothing.
 * Whatever changes the nodes, texts or references of a connection moves its revision, and what changes nothing does not.
 */

/** Rows to a statement. */
const batch = 100;

/** Begins a sync run and returns its number, greater than any before. Throws where the connection is gone. */
export async function nextRun(trx: WriteTransaction, connectionId: number): Promise<number> {
  const { run } = await trx
    .updateTable("connections")
    .set(({ eb }) => ({ run: eb("run", "+", 1) }))
    .where("id", "=", connectionId)
    .returning("run")
    .executeTakeFirstOrThrow(() => new Error(`Connection ${connectionId} is gone`));
  return run;
}

/**
 * Adds nodes, or updates those that are known, and marks them as seen by a sync run. A node whose `updatedAt`
 * differs waits for its text again; the text of before stays readable until then.
 */
export async function upsertNodes(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly ReadNode[],
  run: number,
): Promise<void> {
  const revision = await nextRevision(trx, connectionId);
  if (revision === null) return;
  const distinct = [...new Map(nodes.map((node) => [node.id, node])).values()];
  let changed = 0n;
  for (const some of batches(distinct, batch)) {
    changed += await writeNodes(trx, connectionId, some, { run, revision });
    for (const node of some) await touchNode(trx, connectionId, node, run);
  }
  if (changed > 0n) await moveRevision(trx, connectionId);
}

/** Marks nodes as seen by a sync run that says nothing new of them. */
export async function touchNodes(
  trx: WriteTransaction,
  connectionId: number,
  nodes: readonly (Pick<ReadNode, "id"> & Observation)[],
  run: number,
): Promise<void> {
  for (const node of nodes) await touchNode(trx, connectionId, node, run);
}

/** Replaces the references that a node's properties hold. */
export async function setPropertyReferences(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  references: readonly Reference[],
): Promise<void> {
  if ((await nodeVersion(trx, connectionId, nodeId)) === null) return;
  const changed = await replaceReferences(trx, connectionId, { nodeId, source: "properties" }, references);
  if (changed) await stampNode(trx, connectionId, nodeId);
}

/** A text as it was read, with the references in it. */
export interface ReadText {
  readonly markdown: string;
  readonly references: readonly Reference[];
  readonly state: "ready" | "empty";
  /** When it was asked for, by the provider's clock; 0 where it is to be read again soon. */
  readonly readAt?: number;
}

/** Replaces a node's text and the references in it, and marks the text as `ready` or `empty`. */
export async function saveContent(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  { readAt, state, references, ...content }: ReadText,
): Promise<void> {
  const version = await nodeVersion(trx, connectionId, nodeId);
  if (version === null) return;
  const markdown = content.markdown.toWellFormed();
  const text = {
    markdown,
    total_chars: codePoints(markdown),
    digest: digestOf(markdown),
    updated_at: version,
  };
  const before = (await storedDigest(trx, connectionId, nodeKey(nodeId)))[0]?.digest ?? digestOf("");
  await trx
    .insertInto("contents")
    .values({ connection_id: connectionId, node_id: nodeKey(nodeId), ...text })
    .onConflict((conflict) => conflict.columns(["connection_id", "node_id"]).doUpdateSet(text))
    .execute();
  await trx
    .updateTable("nodes")
    .set({ content_state: state, content_error: null, read_at: readAt })
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(nodeId))
    .execute();
  const changed = await replaceReferences(trx, connectionId, { nodeId, source: "text" }, references);
  if (changed || text.digest !== before) await stampNode(trx, connectionId, nodeId);
}

/** Notes why a node's text could not be read. A text of before stays, with its references (SYNC-5). */
export async function failContent(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
  reason: string,
): Promise<void> {
  await trx
    .updateTable("nodes")
    .set({ content_state: "failed", content_error: reason })
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(nodeId))
    .execute();
}

/**
 * Removes nodes with their texts and references, each leaving a tombstone of this time; returns how many there were. The
 * pages that they hung below show others now, and await their texts again.
 */
export async function removeNodes(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
  now: number,
): Promise<number> {
  let removed = 0;
  const revision = (await nextRevision(trx, connectionId)) ?? 0;
  for (const some of batches(ids, batch)) {
    const keys = some.map(nodeKey);
    await insertTombstones(trx, connectionId, keys, { revision, now });
    const gone = await trx
      .deleteFrom("nodes")
      .where("connection_id", "=", connectionId)
      .where("id", "in", keys)
      .returning("parent_id")
      .execute();
    removed += gone.length;
    await awaitTexts(
      trx,
      connectionId,
      gone.flatMap(({ parent_id }) => parent_id ?? []),
    );
  }
  if (removed > 0) await moveRevision(trx, connectionId);
  return removed;
}

/** Has the texts of these pages read again. */
export async function awaitTexts(
  trx: WriteTransaction,
  connectionId: number,
  keys: readonly Uint8Array[],
): Promise<void> {
  for (const some of batches(keys, batch)) {
    await trx
      .updateTable("nodes")
      .set({ content_state: "pending" })
      .where("connection_id", "=", connectionId)
      .where("id", "in", some)
      .where("type", "=", "page")
      .where("content_state", "in", ["ready", "empty"])
      .execute();
  }
}

const updatedAtOf = precompiled((db, connectionId: number, id: Uint8Array) =>
  db.selectFrom("nodes").select("updated_at").where("connection_id", "=", connectionId).where("id", "=", id),
);

/** When the node was last updated at the provider, in milliseconds since the Unix epoch; null where it is gone. */
async function nodeVersion(
  trx: WriteTransaction,
  connectionId: number,
  nodeId: NodeId,
): Promise<number | null> {
  const [row] = await updatedAtOf(trx, connectionId, nodeKey(nodeId));
  return row?.updated_at ?? null;
}

const storedDigest = precompiled((db, connectionId: number, id: Uint8Array) =>
  db
    .selectFrom("contents")
    .select("digest")
    .where("connection_id", "=", connectionId)
    .where("node_id", "=", id),
);

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

/** Length in code points of well-formed text: each pair of surrogates is one. */
function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}
