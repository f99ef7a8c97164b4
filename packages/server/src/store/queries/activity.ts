import { activityLimits } from "@clew/contract";
import { sql } from "kysely";
import type { ActivitySums, TokenCall } from "../../model/activity.ts";
import type { ActivityReadHandle, ActivityTransaction } from "../activity-tables.ts";
import { batches, countChanged, nodeIdOf, nodeKey } from "./statements.ts";

/* The activity of service tokens: what they read (APP-9). */

const hourMs = 3_600_000;

const hourOf = (at: number): number => Math.floor(at / hourMs);

/** A token whose calls are kept. Ids of a restored database may be given out again: with these facts no token has another's calls. */
export interface ActiveToken {
  readonly id: number;
  readonly userId: string;
  readonly createdAt: number;
}

/** The calls of a token that are not written yet. */
export interface PendingCalls {
  /** All calls, by hour and operation. */
  readonly counts: readonly (Pick<TokenCall, "operation"> & {
    /** In hours since the Unix epoch. */
    readonly hour: number;
    readonly calls: number;
    readonly refused: number;
  })[];
  /** Pages by id: the answers that had each, and when the latest of them ended. */
  readonly pages: ReadonlyMap<string, { readonly reads: number; readonly at: number }>;
  /** The latest calls, oldest first. */
  readonly latest: readonly TokenCall[];
}

/** Rows that one statement inserts. */
const rowsAtATime = 200;

/** Adds calls to those of a token. Of all its calls only the latest 500 are kept one by one. */
export async function addCalls(
  trx: ActivityTransaction,
  token: ActiveToken,
  { counts, pages, latest }: PendingCalls,
): Promise<void> {
  const { id, userId, createdAt } = token;
  const token_id = id;
  await trx
    .deleteFrom("activity_tokens")
    .where("token_id", "=", id)
    .where(({ or, eb }) => or([eb("user_id", "<>", userId), eb("created_at", "<>", createdAt)]))
    .execute();
  const calls = counts.reduce((sum, count) => sum + count.calls, 0);
  const latest_at = latest.at(-1)?.at ?? 0;
  // It locks the row, so that instances number calls one after the other, and readers see no number before a lower one.
  const { calls: last } = await trx
    .insertInto("activity_tokens")
    .values({ token_id, user_id: userId, created_at: createdAt, latest_at, calls })
    .onConflict((conflict) =>
      conflict.column("token_id").doUpdateSet({
        latest_at,
        calls: ({ ref, eb }) => eb(ref("activity_tokens.calls"), "+", calls),
      }),
    )
    .returning("calls")
    .executeTakeFirstOrThrow();
  for (const some of batches(counts, rowsAtATime))
    await trx
      .insertInto("activity_hours")
      .values(some.map((count) => ({ token_id, ...count })))
      .onConflict((conflict) =>
        conflict.columns(["token_id", "hour", "operation"]).doUpdateSet({
          calls: sql<number>`activity_hours.calls + excluded.calls`,
          refused: sql<number>`activity_hours.refused + excluded.refused`,
        }),
      )
      .execute();
  await addPages(trx, id, pages);
  const first = last - latest.length + 1;
  for (const [index, some] of [...batches(latest, rowsAtATime)].entries())
    await trx
      .insertInto("activity_calls")
      .values(
        some.map(({ nodeIds, ...call }, place) => ({
          token_id,
          number: first + index * rowsAtATime + place,
          ...call,
          node_ids: Buffer.concat(nodeIds.map(nodeKey)),
        })),
      )
      .execute();
  await trx
    .deleteFrom("activity_calls")
    .where("token_id", "=", id)
    .where("number", "<=", last - activityLimits.calls)
    .execute();
}

/** Adds pages to those that a token has read, as far as there is room. */
async function addPages(
  trx: ActivityTransaction,
  token_id: number,
  pages: PendingCalls["pages"],
): Promise<void> {
  if (pages.size === 0) return;
  const room = activityLimits.pages - (await countPages(trx, token_id, 0));
  const known = pages.size <= room ? null : await knownPages(trx, token_id, [...pages.keys()]);
  let newPages = 0;
  const rows = [...pages].flatMap(([node, { reads, at }]) => {
    if (known !== null && !known.has(node) && ++newPages > room) return [];
    return [{ token_id, node_id: nodeKey(node), reads, read_at: at }];
  });
  for (const some of batches(rows, rowsAtATime))
    await trx
      .insertInto("activity_pages")
      .values([...some])
      .onConflict((conflict) =>
        conflict.columns(["token_id", "node_id"]).doUpdateSet({
          reads: sql<number>`activity_pages.reads + excluded.reads`,
          read_at: sql<number>`excluded.read_at`,
        }),
      )
      .execute();
}

async function knownPages(
  db: ActivityReadHandle,
  tokenId: number,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const some of batches(ids, 1000)) {
    const rows = await db
      .selectFrom("activity_pages")
      .select("node_id")
      .where("token_id", "=", tokenId)
      .where("node_id", "in", some.map(nodeKey))
      .execute();
    for (const { node_id } of rows) known.add(nodeIdOf(node_id));
  }
  return known;
}

async function countPages(db: ActivityReadHandle, tokenId: number, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("activity_pages")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("token_id", "=", tokenId)
    .where("read_at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}

/** The number of a token's latest call; null if none is kept. */
export async function latestNumber(db: ActivityReadHandle, token: ActiveToken): Promise<number | null> {
  const row = await db
    .selectFrom("activity_tokens")
    .select("calls")
    .where("token_id", "=", token.id)
    .where("user_id", "=", token.userId)
    .where("created_at", "=", token.createdAt)
    .executeTakeFirst();
  return row?.calls ?? null;
}

/** The number of the latest call of the token that has this id now; 0 if none is kept. */
export async function numberOfCalls(db: ActivityReadHandle, tokenId: number): Promise<number> {
  const row = await db
    .selectFrom("activity_tokens")
    .select("calls")
    .where("token_id", "=", tokenId)
    .executeTakeFirst();
  return row?.calls ?? 0;
}

/** The calls of an hour and an operation. */
export interface HourOfCalls {
  /** When the hour begins, in milliseconds since the Unix epoch. */
  readonly at: number;
  readonly operation: TokenCall["operation"];
  readonly calls: number;
  readonly refused: number;
}

/** A token's calls by hour and operation since a time, oldest first. The hour of that time is left out unless it begins then. */
export async function hoursOf(
  db: ActivityReadHandle,
  tokenId: number,
  since: number,
): Promise<HourOfCalls[]> {
  const rows = await db
    .selectFrom("activity_hours")
    .select(["hour", "operation", "calls", "refused"])
    .where("token_id", "=", tokenId)
    .where("hour", ">=", Math.ceil(since / hourMs))
    .orderBy("hour")
    .orderBy("operation")
    .execute();
  return rows.map(({ hour, ...row }) => ({ at: hour * hourMs, ...row }));
}

/** The sums of a token's calls since a time. */
export async function sumsSince(
  db: ActivityReadHandle,
  tokenId: number,
  since: number,
): Promise<ActivitySums> {
  return { ...sumOf(await hoursOf(db, tokenId, since)), pages: await countPages(db, tokenId, since) };
}

/** The sums of calls, without pages. */
export function sumOf(hours: readonly HourOfCalls[]): Omit<ActivitySums, "pages"> {
  return {
    calls: hours.reduce((sum, { calls }) => sum + calls, 0),
    refused: hours.reduce((sum, { refused }) => sum + refused, 0),
  };
}

/** The number of different pages that a token has read since a time, as far as they are counted. */
export const pagesSince = countPages;

/** A page and the answers that had it. */
export interface ReadPage {
  readonly nodeId: string;
  readonly reads: number;
  /** In milliseconds since the Unix epoch. */
  readonly readAt: number;
}

/** The pages that a token has read most, since a time at least once. */
export async function mostRead(db: ActivityReadHandle, tokenId: number, since: number): Promise<ReadPage[]> {
  const rows = await db
    .selectFrom("activity_pages")
    .select(["node_id", "reads", "read_at"])
    .where("token_id", "=", tokenId)
    .where("read_at", ">=", since)
    .orderBy("reads", "desc")
    .orderBy("read_at", "desc")
    .orderBy("node_id")
    .limit(activityLimits.mostRead)
    .execute();
  return rows.map(({ node_id, reads, read_at }) => ({ nodeId: nodeIdOf(node_id), reads, readAt: read_at }));
}

/** A token's calls with higher numbers than `after`, since a time; the latest `limit` of them, newest first. */
export async function latestCalls(
  db: ActivityReadHandle,
  tokenId: number,
  { after, since, limit }: { readonly after: number; readonly since: number; readonly limit: number },
): Promise<TokenCall[]> {
  const rows = await db
    .selectFrom("activity_calls")
    .select(["at", "operation", "words", "node_ids", "pages", "status", "ms"])
    .where("token_id", "=", tokenId)
    .where("number", ">", after)
    .where("at", ">=", since)
    .orderBy("number", "desc")
    .limit(limit)
    .execute();
  return rows.map(({ node_ids, ...call }) => ({ ...call, nodeIds: nodeIdsOf(node_ids) }));
}

function nodeIdsOf(bytes: Uint8Array): string[] {
  return Array.from({ length: bytes.length / 16 }, (_, index) =>
    nodeIdOf(bytes.subarray(16 * index, 16 * (index + 1))),
  );
}

/** The calls of each hour of a person's tokens since a time, of all operations together. */
export async function hoursOfUser(
  db: ActivityReadHandle,
  userId: string,
  since: number,
): Promise<{ readonly tokenId: number; readonly at: number; readonly calls: number }[]> {
  const rows = await db
    .selectFrom("activity_hours")
    .innerJoin("activity_tokens", "activity_tokens.token_id", "activity_hours.token_id")
    .select(["activity_hours.token_id", "hour", "activity_hours.calls"])
    .where("user_id", "=", userId)
    .where("hour", ">=", Math.ceil(since / hourMs))
    .orderBy("activity_hours.token_id")
    .orderBy("hour")
    .execute();
  return rows.map(({ token_id, hour, calls }) => ({ tokenId: token_id, at: hour * hourMs, calls }));
}

/** Deletes the calls of a person's tokens. */
export async function deleteActivityOf(trx: ActivityTransaction, userId: string): Promise<void> {
  await trx.deleteFrom("activity_tokens").where("user_id", "=", userId).execute();
}

/** Deletes the calls of these tokens. */
export async function deleteActivity(trx: ActivityTransaction, tokenIds: readonly number[]): Promise<void> {
  for (const some of batches(tokenIds, 1000))
    await trx.deleteFrom("activity_tokens").where("token_id", "in", some).execute();
}

/** Deletes what is older than a time. Returns whether that was anything. */
export async function deleteActivityBefore(trx: ActivityTransaction, before: number): Promise<boolean> {
  const deletions = [
    trx.deleteFrom("activity_tokens").where("latest_at", "<", before),
    trx.deleteFrom("activity_hours").where("hour", "<", hourOf(before)),
    trx.deleteFrom("activity_pages").where("read_at", "<", before),
    trx.deleteFrom("activity_calls").where("at", "<", before),
  ];
  let deleted = 0;
  for (const deletion of deletions) deleted += await countChanged(deletion);
  return deleted > 0;
}

/** Tokens whose calls are kept, with ids above `after`, in the order of ids. */
export async function activeTokens(
  db: ActivityReadHandle,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<ActiveToken[]> {
  return db
    .selectFrom("activity_tokens")
    .select(["token_id as id", "user_id as userId", "created_at as createdAt"])
    .where("token_id", ">", after)
    .orderBy("token_id")
    .limit(limit)
    .execute();
}
