import type { ContentState, NodeType } from "@clew/contract/vocabulary";
import type { NodeId } from "@clew/graph";
import { sql } from "kysely";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { TextState } from "../schema.ts";
import { batches, nodeIdOf, nodeKey, nodesOf } from "./statements.ts";

/** Milliseconds in which edits may share a time: the provider rounds the time of an edit down to the minute. */
export const editOverlapMs = 2 * 60_000;

/** The entries of a list of edits that are compared whatever their time: the provider may list an edit late. One answer has them. */
export const firstEntries = 10;

/** A node whose text is to be read. */
export interface AwaitingNode {
  readonly id: NodeId;
  readonly type: NodeType;
  /** The text of a database; null if it has none. */
  readonly description: string | null;
  /** How much of its text is stored. */
  readonly textState: TextState;
  /** Whether the last reading of its text failed. */
  readonly hasFailed: boolean;
}

/** A connection's nodes whose text is still to be read; what to select is still to be added. */
export function nodesToRead(db: ReadHandle, connectionId: number) {
  // Constants, as in the condition of the index.
  const states = [sql.lit<ContentState>("pending"), sql.lit<ContentState>("failed")];
  return nodesOf(db, connectionId).where("content_state", "in", states);
}

/** Nodes whose text is still to be read. Those that failed come last; among equals, the latest edit comes first. */
export async function nodesAwaitingContent(db: ReadHandle, connectionId: number): Promise<AwaitingNode[]> {
  const rows = await nodesToRead(db, connectionId)
    .select(["id", "type", "description", "text_state as textState", "content_state"])
    .orderBy(sql`case content_state when 'failed' then 1 else 0 end`)
    .orderBy("updated_at", "desc")
    .orderBy("id")
    .execute();
  return rows.map(({ id, content_state, ...row }) => ({
    ...row,
    id: nodeIdOf(id),
    hasFailed: content_state === "failed",
  }));
}

/**
 * Requeues unsettled texts and, if the provider rounds the times of edits, those that were read so soon after an edit that
 * another one may have the same time there.
 */
export async function requeueDoubtfulTexts(
  trx: WriteTransaction,
  connectionId: number,
  { roundsEditTimes }: { readonly roundsEditTimes: boolean },
): Promise<void> {
  await requeuedTexts(trx, connectionId)
    .where((where) =>
      where.or([
        where("text_state", "=", "unsettled"),
        ...(roundsEditTimes ? [where("read_at", "<", overlapEnd)] : []),
      ]),
    )
    .execute();
}

/** Milliseconds from the time of an edit after which no other edit has that time. */
const editMinuteMs = 60_000;

/**
 * The next time, by the provider's clock, at which a text is to be read again that was read so soon after an edit that
 * another edit may have the same time there: once that minute is over, and once more after the overlap, in case an answer
 * was late. null if there is none. Edits in the future are left out: their texts would never be done.
 */
export async function nextRereading(
  db: ReadHandle,
  connectionId: number,
  now: number,
): Promise<number | null> {
  const { at } = await nodesOf(db, connectionId)
    .select(sql<number | null>`min(${rereadingAt})`.as("at"))
    .where("type", "=", "page")
    .where("content_state", "in", ["ready", "empty"])
    .where("updated_at", "<=", now)
    .where("read_at", "<", overlapEnd)
    .executeTakeFirstOrThrow();
  return at;
}

/** Requeues the texts whose next rereading is due. */
export async function requeueDueRereadings(
  trx: WriteTransaction,
  connectionId: number,
  now: number,
): Promise<void> {
  await requeuedTexts(trx, connectionId)
    .where("updated_at", "<=", now)
    .where("read_at", "<", overlapEnd)
    .where(rereadingAt, "<=", now)
    .execute();
}

const overlapEnd = sql<number>`updated_at + ${sql.lit(editOverlapMs)}`;

const minuteEnd = sql<number>`updated_at + ${sql.lit(editMinuteMs)}`;

const rereadingAt = sql<number>`case when read_at < ${minuteEnd} then ${minuteEnd} else ${overlapEnd} end`;

/** Requeues all texts of a connection; the stored ones stay readable. */
export async function requeueAllTexts(trx: WriteTransaction, connectionId: number): Promise<void> {
  await requeuedTexts(trx, connectionId).execute();
}

/** Requeues the texts of these pages. */
export async function requeueTexts(
  trx: WriteTransaction,
  connectionId: number,
  ids: readonly NodeId[],
): Promise<void> {
  for (const some of batches(ids, 1000))
    await requeuedTexts(trx, connectionId).where("id", "in", some.map(nodeKey)).execute();
}

/** An update that requeues the texts of a connection's pages: all of them, unless conditions are added. */
function requeuedTexts(trx: WriteTransaction, connectionId: number) {
  return trx
    .updateTable("nodes")
    .set({ content_state: "pending" })
    .where("connection_id", "=", connectionId)
    .where("type", "=", "page")
    .where("content_state", "in", ["ready", "empty"]);
}

/** Connections to a source that have pages whose address does not begin with `base`. */
export async function connectionsWithPagesElsewhere(
  db: ReadHandle,
  provider: string,
  base: string,
): Promise<number[]> {
  const rows = await db
    .selectFrom("nodes")
    .innerJoin("connections", "connections.id", "nodes.connection_id")
    .select("nodes.connection_id as id")
    .distinct()
    .where("connections.provider", "=", provider)
    .where("connections.removed_at", "is", null)
    .where(sql<boolean>`substr(nodes.url, 1, ${base.length}) <> ${base}`)
    .execute();
  return rows.map(({ id }) => id);
}
