import type { Selectable } from "kysely";
import type { AuditedEvent, AuditLine } from "../../model/audit.ts";
import type { Origin } from "../../model/caller.ts";
import type { ReadHandle, RecordTransaction, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";
import { isSettled } from "./moving.ts";
import { countChanged } from "./statements.ts";

/** Refused uses of one token that are kept, so that repeating them cannot fill the disk; the first show how it began. */
const refusalsKept = { first: 100, latest: 900 };

/** Writes events to the audit trail, in order: in the transaction that makes them happen. */
export async function insertAudit(trx: WriteTransaction, events: readonly AuditedEvent[]): Promise<void> {
  for (const line of events) {
    const { userId, at, event, sessionId, token, successorId, workspaceId, reason, origin } = line;
    await trx
      .insertInto("audit")
      .values({
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
      })
      .execute();
  }
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

/** Deletes refused uses of a token between the first and the latest that are kept. */
export async function forgetMiddleRefusals(trx: WriteTransaction, tokenId: number): Promise<void> {
  const refusals = trx
    .selectFrom("audit")
    .select("id")
    .where("token_id", "=", tokenId)
    .where("event", "=", "token_refused")
    .limit(1);
  const lastOf = (count: number, order: "asc" | "desc") =>
    refusals
      .orderBy("id", order)
      .offset(count - 1)
      .executeTakeFirst();
  const lastOfFirst = await lastOf(refusalsKept.first, "asc");
  const firstOfLatest = await lastOf(refusalsKept.latest, "desc");
  if (lastOfFirst === undefined || firstOfLatest === undefined) return;
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
