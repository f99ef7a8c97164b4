import type { Selectable } from "kysely";
import type { AuditedEvent, AuditLine } from "../../model/audit.ts";
import type { Origin } from "../../model/caller.ts";
import type { ReadHandle, WriteTransaction } from "../port.ts";
import type { Tables } from "../schema.ts";

/** How long a line is kept, in milliseconds. */
const keptFor = 365 * 86_400_000;

/**
 * Refused uses of one token that are kept: whoever presents it over and over fills nobody's disk. The first ones stay,
 * so that a flood cannot wash away how it began.
 */
const refusalsKept = { first: 100, latest: 900 };

/** Writes events down, in order. To say nothing of what did not happen, do it in the transaction in which it happens. */
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

/** Which lines of a user's to list. */
interface AuditQuery {
  readonly tokenId?: number | undefined;
  /** Only lines written before this one. */
  readonly beforeId?: number | undefined;
  readonly limit: number;
}

/** A user's lines, newest first; those about one token where one is named, its coming by rotation included. */
export async function listAudit(
  db: ReadHandle,
  userId: string,
  { tokenId, beforeId, limit }: AuditQuery,
): Promise<AuditLine[]> {
  let query = db.selectFrom("audit").selectAll().where("user_id", "=", userId);
  if (tokenId !== undefined)
    query = query.where((where) =>
      where.or([where("token_id", "=", tokenId), where("successor_id", "=", tokenId)]),
    );
  if (beforeId !== undefined) query = query.where("id", "<", beforeId);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(lineOf);
}

/** Refreshes of one session that are written down: whoever changes the user agent each time fills nobody's disk. */
const refreshesKept = 100;

/**
 * Whether to write down that a session was refreshed from here: nothing in the trail says that it began or was refreshed
 * from this address with this user agent.
 */
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
    .limit(refreshesKept)
    .execute();
  if (rows.length >= refreshesKept) return false;
  return !rows.some((row) => row.address === address && row.userAgent === userAgent);
}

/** Deletes what a user's trail has kept for a year. */
export async function forgetOldAudit(trx: WriteTransaction, userId: string, now: number): Promise<void> {
  await trx
    .deleteFrom("audit")
    .where("user_id", "=", userId)
    .where("at", "<", now - keptFor)
    .execute();
}

/** Deletes all refused uses of a token but the first and the latest. */
export async function forgetMiddleRefusals(trx: WriteTransaction, tokenId: number): Promise<void> {
  const refusals = trx
    .selectFrom("audit")
    .select("id")
    .where("token_id", "=", tokenId)
    .where("event", "=", "token_refused")
    .limit(1);
  const lastOfFirst = await refusals
    .orderBy("id", "asc")
    .offset(refusalsKept.first - 1)
    .executeTakeFirst();
  const firstOfLatest = await refusals
    .orderBy("id", "desc")
    .offset(refusalsKept.latest - 1)
    .executeTakeFirst();
  if (lastOfFirst === undefined || firstOfLatest === undefined) return;
  await trx
    .deleteFrom("audit")
    .where("token_id", "=", tokenId)
    .where("event", "=", "token_refused")
    .where("id", ">", lastOfFirst.id)
    .where("id", "<", firstOfLatest.id)
    .execute();
}

function lineOf(row: Selectable<Tables["audit"]>): AuditLine {
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
