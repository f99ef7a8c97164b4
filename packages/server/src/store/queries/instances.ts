import type { ReadHandle, RecordTransaction } from "../port.ts";

/*
 * The instances that share the looks for edits (SYNC-11). Each writes its own row every few seconds, and what it has
 * looked at with it: a look by itself writes nothing.
 */

/** An instance on its looks. Times are milliseconds since the Unix epoch. */
export interface LookReport {
  /** The instances among which it shared the connections, itself included. */
  readonly peers: readonly string[];
  /** When it had looked, without news, at all connections that fell to it but those `behind`; null if it has not. */
  readonly lookedAt: number | null;
  readonly behind: readonly number[];
}

/** An instance as the others see it. */
export interface Instance extends LookReport {
  readonly id: string;
  /** When it was last heard of. */
  readonly seenAt: number;
}

/** Writes the row of an instance. */
export async function recordInstance(
  trx: RecordTransaction,
  { id, seenAt, lookedAt, peers, behind }: Instance,
): Promise<void> {
  const row = {
    seen_at: seenAt,
    looked_at: lookedAt,
    peers: JSON.stringify(peers),
    behind: JSON.stringify(behind),
  };
  await trx
    .insertInto("instances")
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(row))
    .execute();
}

/** Deletes the rows of instances that were last heard of before a time. */
export async function forgetInstances(trx: RecordTransaction, seenBefore: number): Promise<void> {
  await trx.deleteFrom("instances").where("seen_at", "<", seenBefore).execute();
}

/** All instances with a row, by id. */
export async function allInstances(db: ReadHandle): Promise<Instance[]> {
  const rows = await db.selectFrom("instances").selectAll().orderBy("id").execute();
  // Written by `recordInstance`.
  return rows.map(({ id, seen_at, looked_at, peers, behind }) => ({
    id,
    seenAt: seen_at,
    lookedAt: looked_at,
    peers: JSON.parse(peers) as string[],
    behind: JSON.parse(behind) as number[],
  }));
}
