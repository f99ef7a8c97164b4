import type { Insertable, Selectable } from "kysely";
import type { AuditedEvent, AuditLine } from "../../model/audit.ts";
import type { Origin } from "../../model/caller.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { batches, countChanged } from "./statements.ts";

/** Lines and tokens of one statement. */
const batchSize = 200;

/** Refused uses of one token that are kept, so that repeating them cannot fill the disk; the first show how it began. */
const refusalsKept = { first: 100, latest: 900 };

/** Writes events to the audit trail, in order: in the transaction that makes them happen. */
export async function insertAudit(trx: WriteTransaction, events: readonly AuditedEvent[]): Promise<void> {
  for (const some of batches(events.map(rowOf), batchSize))
    await trx.insertInto("audit").values(some).execute();
}

/** A user's events, newest first: of one token if given, including the rotation that created it, and before one if given. */
export async function listAudit(
  db: ReadHandle,
  userId: string,
  filter: { tokenId?: number | undefined; beforeId?: number | undefined; limit: number },
): Promise<AuditLine[]> {
  const { tokenId, beforeId, limit } = filter;
  let query = db.selectFrom("audit").select(lineColumns).where("user_id", "=", userId);
  if (tokenId !== undefined)
    query = query.where((where) =>
      where.or([where("token_id", "=", tokenId), where("successor_id", "=", tokenId)]),
    );
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(lineOf);
}

/** Refreshes of one session that are recorded, so that changing user agents cannot fill the disk. */
const maxRefreshes = 100;

/** Whether to record that a session was refreshed: the trail has no event of it with this address and user agent. */
export async function isNewOrigin(
  db: ReadHandle,
  sessionId: string,
  { address, userAgent }: Origin,
): Promise<boolean> {
  const rows = await db
    .selectFrom("audit")
    .select(["address", "user_agent as userAgent"])
    .where("session_id", "=", sessionId)
    .where("event", "in", ["signed_in", "session_refreshed"])
    .limit(maxRefreshes)
    .execute();
  if (rows.length >= maxRefreshes) return false;
  return !rows.some((row) => row.address === address && row.userAgent === userAgent);
}

/** Deletes at most `limit` events from before a time; returns how many. None is left once it deletes fewer. */
export function deleteOldAudit(trx: RecordTransaction, before: number, limit: number): Promise<number> {
  return countChanged(
    trx
      .deleteFrom("audit")
      .where("id", "in", (some) =>
        some
          .selectFrom("audit")
          .select("id")
          .where("at", "<", before)
          .where(isSettled("user_id"))
          .orderBy("at")
          .limit(limit),
      ),
  );
}

/** Deletes refused uses of these tokens between the first and the latest that are kept of each. */
export async function forgetMiddleRefusals(trx: WriteTransaction, tokenIds: Iterable<number>): Promise<void> {
  const { first, latest } = refusalsKept;
  for (const some of batches([...tokenIds], batchSize)) {
    const full = await refusalsIn(trx)
      .select("token_id as tokenId")
      .where("token_id", "in", some)
      .groupBy("token_id")
      .having(({ fn }) => fn.countAll(), ">", first + latest)
      .execute();
    for (const { tokenId } of full) if (tokenId !== null) await forgetMiddle(trx, tokenId);
  }
}

const refusalsIn = (trx: WriteTransaction) => trx.selectFrom("audit").where("event", "=", "token_refused");

async function forgetMiddle(trx: WriteTransaction, tokenId: number): Promise<void> {
  const lastOf = (count: number, order: "asc" | "desc") =>
    refusalsIn(trx)
      .select("id")
      .where("token_id", "=", tokenId)
      .orderBy("id", order)
      .offset(count - 1)
      .limit(1)
      .executeTakeFirstOrThrow();
  const lastOfFirst = await lastOf(refusalsKept.first, "asc");
  const firstOfLatest = await lastOf(refusalsKept.latest, "desc");
  await trx
    .deleteFrom("audit")
    .where("token_id", "=", tokenId)
    .where("event", "=", "token_refused")
    .where("id", ">", lastOfFirst.id)
    .where("id", "<", firstOfLatest.id)
    .execute();
}

const lineColumns = [
  "id",
  "at",
  "event",
  "session_id",
  "token_id",
  "token_name",
  "token_prefix",
  "successor_id",
  "workspace_id",
  "reason",
  "address",
  "user_agent",
] as const satisfies (keyof Tables["audit"])[];

function rowOf(line: AuditedEvent): Insertable<Tables["audit"]> {
  const { userId, at, event, sessionId, token, successorId, workspaceId, reason, origin } = line;
  return {
    user_id: userId,
    at,
    event,
    session_id: sessionId ?? null,
    token_id: token?.id ?? null,
    token_name: token?.name ?? null,
    token_prefix: token?.prefix ?? null,
    successor_id: successorId ?? null,
    workspace_id: workspaceId ?? null,
    reason: reason ?? null,
    address: origin?.address ?? null,
    user_agent: origin?.userAgent ?? null,
  };
}

function lineOf(row: Pick<Selectable<Tables["audit"]>, (typeof lineColumns)[number]>): AuditLine {
  const { token_id: id, token_name: name, token_prefix: prefix } = row;
  return {
    id: row.id,
    at: row.at,
    event: row.event,
    sessionId: row.session_id,
    token: id === null ? null : { id, name: name ?? "", prefix: prefix ?? "" },
    successorId: row.successor_id,
    workspaceId: row.workspace_id,
    reason: row.reason,
    address: row.address,
    userAgent: row.user_agent,
  };
}
