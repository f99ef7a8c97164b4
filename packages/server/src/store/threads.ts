import type { Thread } from "../model/edge.ts";
import type { NodeId } from "../model/node-id.ts";
import { batches } from "./batches.ts";
import { stampNode } from "./changes.ts";
import type { Db } from "./database.ts";
import { nodeIdOf, nodeKey } from "./node-key.ts";
import { precompiled } from "./precompiled.ts";
import type { ThreadSource } from "./schema.ts";

/** Rows to a statement. */
const batch = 500;

/**
 * Replaces what one source of a node holds; true where that changed anything. The node must exist. Threads of the
 * same type, target and name are summed.
 */
export async function replaceThreads(
  trx: Db,
  connectionId: number,
  from: { nodeId: NodeId; source: ThreadSource },
  threads: readonly Thread[],
): Promise<boolean> {
  const fromId = nodeKey(from.nodeId);
  const next = summed(threads);
  const before = await threadsOf(trx, connectionId, from);
  if (before.length === next.length && before.every((thread, at) => sameThread(thread, next[at])))
    return false;

  await trx
    .deleteFrom("threads")
    .where("connection_id", "=", connectionId)
    .where("from_id", "=", fromId)
    .where("source", "=", from.source)
    .execute();
  const rows = next.map((thread, position) => ({
    connection_id: connectionId,
    from_id: fromId,
    source: from.source,
    position,
    type: thread.type,
    target_id: nodeKey(thread.targetId),
    name: thread.name,
    target_name: thread.targetName ?? null,
    count: thread.count,
  }));
  for (const some of batches(rows, batch)) await trx.insertInto("threads").values(some).execute();
  return true;
}

const threadsFrom = precompiled((db, connectionId: number, fromId: Uint8Array, source: ThreadSource) =>
  db
    .selectFrom("threads")
    .select(["type", "target_id", "name", "target_name", "count"])
    .where("connection_id", "=", connectionId)
    .where("from_id", "=", fromId)
    .where("source", "=", source)
    .orderBy("position"),
);

/** What one source of a node holds. */
export async function threadsOf(
  db: Db,
  connectionId: number,
  from: { nodeId: NodeId; source: ThreadSource },
): Promise<Thread[]> {
  const rows = await threadsFrom(db, connectionId, nodeKey(from.nodeId), from.source);
  return rows.map(({ target_id, target_name, ...row }) => ({
    ...row,
    targetId: nodeIdOf(target_id),
    ...(target_name === null ? {} : { targetName: target_name }),
  }));
}

/** One thread for each type, target and name, in the order of their first occurrence. */
function summed(threads: readonly Thread[]): Thread[] {
  const byEdge = new Map<string, Thread>();
  for (const { targetName, ...thread } of threads) {
    const name = thread.name?.toWellFormed() ?? null;
    const edge = JSON.stringify([thread.type, thread.targetId, name]);
    const before = byEdge.get(edge);
    byEdge.set(edge, {
      ...thread,
      ...(targetName === undefined ? {} : { targetName: targetName.toWellFormed() }),
      ...before,
      name,
      count: thread.count + (before?.count ?? 0),
    });
  }
  return [...byEdge.values()];
}

function sameThread(one: Thread, other: Thread | undefined): boolean {
  return (
    one.type === other?.type &&
    one.targetId === other.targetId &&
    one.name === other.name &&
    one.targetName === other.targetName &&
    one.count === other.count
  );
}

/** What the threads of one source of a node lead to. */
export async function targetsOf(
  db: Db,
  connectionId: number,
  from: { nodeId: NodeId; source: ThreadSource },
): Promise<Set<NodeId>> {
  return new Set((await threadsOf(db, connectionId, from)).map(({ targetId }) => targetId));
}

/** Leads the threads to data sources on to the databases that those fold into. */
export async function leadToDatabases(trx: Db, connectionId: number): Promise<void> {
  const rows = await trx
    .selectFrom("threads")
    .innerJoin("data_sources", (join) =>
      join
        .onRef("data_sources.connection_id", "=", "threads.connection_id")
        .onRef("data_sources.id", "=", "threads.target_id"),
    )
    .select(["threads.from_id", "threads.source", "threads.position", "data_sources.database_id"])
    .where("threads.connection_id", "=", connectionId)
    .execute();
  for (const row of rows) {
    await trx
      .updateTable("threads")
      .set({ target_id: row.database_id })
      .where("connection_id", "=", connectionId)
      .where("from_id", "=", row.from_id)
      .where("source", "=", row.source)
      .where("position", "=", row.position)
      .execute();
    await stampNode(trx, connectionId, nodeIdOf(row.from_id));
  }
}
