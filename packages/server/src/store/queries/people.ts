import type { ReadHandle, WriteTransaction } from "../port.ts";

/*
 * The directory of people, in the home bucket: which bucket each of them lives in. A row stays when an account is deleted, so that a
 * sign-in at that moment cannot put the person into two buckets. It has a digest of the person's id, and nothing else of them.
 */

/** The bucket in which a person lives; null for a person who is not in the directory. */
export async function bucketOfPerson(db: ReadHandle, personHash: Uint8Array): Promise<number | null> {
  const row = await db
    .selectFrom("people")
    .select("bucket")
    .where("person_hash", "=", personHash)
    .executeTakeFirst();
  return row?.bucket ?? null;
}

/** Adds a person to the directory, who must not be in it. */
export async function settlePerson(
  trx: WriteTransaction,
  personHash: Uint8Array,
  bucket: number,
): Promise<void> {
  await trx.insertInto("people").values({ person_hash: personHash, bucket }).execute();
}

/** Says in the directory that a person lives in a bucket, whatever it said before. */
export async function resettlePerson(
  trx: WriteTransaction,
  personHash: Uint8Array,
  bucket: number,
): Promise<void> {
  await trx
    .insertInto("people")
    .values({ person_hash: personHash, bucket })
    .onConflict((conflict) => conflict.column("person_hash").doUpdateSet({ bucket }))
    .execute();
}

/** The highest number of a bucket that has people; 0 for an empty directory. */
export async function lastInhabited(db: ReadHandle): Promise<number> {
  const row = await db
    .selectFrom("people")
    .select("bucket")
    .orderBy("bucket", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.bucket ?? 0;
}
