import { createHash } from "node:crypto";
import type { NodeType } from "@clew/contract";
import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import { batches } from "./batches.ts";
import type { Db } from "./database.ts";
import { nodeIdOf, nodeKey } from "./node-key.ts";
import { type ReadNode, writeNodes } from "./nodes.ts";
import { precompiled } from "./precompiled.ts";
import { replaceThreads } from "./threads.ts";

/*
 * What a sync writes. A connection or node that was removed meanwhile is never revived: writing to it does nothing.
 * Whatever changes the nodes or threads of a connection moves its revision, and what changes nothing does not.
 */

/** Rows to a statement. */
const batch = 100;

/** Begins a sync run and returns its number, greater than any before. Throws where the connection is gone. */
export async function nextRun(trx: Db, connectionId: number): Promise<number> {
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
  trx: Db,
  connectionId: number,
  nodes: readonly ReadNode[],
  run: number,
): Promise<void> {
  if (!(await connectionExists(trx, connectionId))) return;
  const distinct = [...new Map(nodes.map((node) => [node.id, node])).values()];
  let changed = 0n;
  for (const some of batches(distinct, batch)) {
    changed += await writeNodes(trx, connectionId, some, run);
    await trx
      .updateTable("nodes")
      .set({ run })
      .where("connection_id", "=", connectionId)
      .where(
        "id",
        "in",
        some.map(({ id }) => nodeKey(id)),
      )
      .execute();
  }
  if (changed > 0n) await moveRevision(trx, connectionId);
}

/** Replaces the threads that a node's properties hold. */
export async function setPropertyThreads(
  trx: Db,
  connectionId: number,
  nodeId: NodeId,
  threads: readonly Thread[],
): Promise<void> {
  if ((await nodeVersion(trx, connectionId, nodeId)) === null) return;
  const changed = await replaceThreads(trx, connectionId, { nodeId, source: "properties" }, threads);
  if (changed) await moveRevision(trx, connectionId);
}

/** Replaces a node's text and the threads in it, and marks the text as `ready` or `empty`. */
export async function saveContent(
  trx: Db,
  connectionId: number,
  nodeId: NodeId,
  content: { markdown: string; threads: readonly Thread[]; state: "ready" | "empty" },
): Promise<void> {
  const version = await nodeVersion(trx, connectionId, nodeId);
  if (version === null) return;
  const markdown = content.markdown.toWellFormed();
  const text = {
    markdown,
    total_chars: codePoints(markdown),
    digest: createHash("sha256").update(markdown).digest("base64url"),
    updated_at: version,
  };
  await trx
    .insertInto("contents")
    .values({ connection_id: connectionId, node_id: nodeKey(nodeId), ...text })
    .onConflict((conflict) => conflict.columns(["connection_id", "node_id"]).doUpdateSet(text))
    .execute();
  await setContentState(trx, connectionId, nodeId, { content_state: content.state, content_error: null });
  const changed = await replaceThreads(trx, connectionId, { nodeId, source: "text" }, content.threads);
  if (changed) await moveRevision(trx, connectionId);
}

/** Notes why a node's text could not be read. A text of before stays, with its threads (SYNC-5). */
export async function failContent(
  trx: Db,
  connectionId: number,
  nodeId: NodeId,
  reason: string,
): Promise<void> {
  await setContentState(trx, connectionId, nodeId, { content_state: "failed", content_error: reason });
}

/** Nodes whose text is still to be read, those never tried before those that failed, the latest edit first. */
export async function nodesAwaitingContent(
  db: Db,
  connectionId: number,
): Promise<{ id: NodeId; type: NodeType }[]> {
  const rows = await db
    .selectFrom("nodes")
    .select(["id", "type"])
    .where("connection_id", "=", connectionId)
    .where("content_state", "in", ["pending", "failed"])
    .orderBy("content_state", "desc")
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ id, type }) => ({ id: nodeIdOf(id), type }));
}

/** Removes the nodes that a sync run did not see, with their texts and threads; returns how many. */
export async function removeNodesNotIn(trx: Db, connectionId: number, run: number): Promise<number> {
  const { numDeletedRows } = await trx
    .deleteFrom("nodes")
    .where("connection_id", "=", connectionId)
    .where("run", "<>", run)
    .executeTakeFirstOrThrow();
  if (numDeletedRows > 0n) await moveRevision(trx, connectionId);
  return Number(numDeletedRows);
}

async function connectionExists(trx: Db, connectionId: number): Promise<boolean> {
  const row = await trx
    .selectFrom("connections")
    .select("id")
    .where("id", "=", connectionId)
    .executeTakeFirst();
  return row !== undefined;
}

const updatedAtOf = precompiled((db, connectionId: number, id: Uint8Array) =>
  db.selectFrom("nodes").select("updated_at").where("connection_id", "=", connectionId).where("id", "=", id),
);

/** When the node was last updated at the provider, in milliseconds since the Unix epoch; null where it is gone. */
async function nodeVersion(trx: Db, connectionId: number, nodeId: NodeId): Promise<number | null> {
  const [row] = await updatedAtOf(trx, connectionId, nodeKey(nodeId));
  return row?.updated_at ?? null;
}

async function setContentState(
  trx: Db,
  connectionId: number,
  nodeId: NodeId,
  state: { content_state: "ready" | "empty" | "failed"; content_error: string | null },
): Promise<void> {
  await trx
    .updateTable("nodes")
    .set(state)
    .where("connection_id", "=", connectionId)
    .where("id", "=", nodeKey(nodeId))
    .execute();
}

async function moveRevision(trx: Db, connectionId: number): Promise<void> {
  await trx
    .updateTable("connections")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", connectionId)
    .execute();
}

/** Length in code points of well-formed text: each pair of surrogates is one. */
function codePoints(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xd800) pairs += 1;
  }
  return text.length - pairs;
}
