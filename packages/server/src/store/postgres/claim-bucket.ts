import { sql } from "kysely";
import { describeLocation } from "../../model/database-location.ts";
import { type Database, DatabaseError, type WriteTransaction } from "../port.ts";
import { type BucketMark, readBucketMark, writeBucketMark } from "../queries/installation.ts";

/** Tables that give out the ids of their rows. */
const tablesWithIds = ["connections", "service_tokens", "audit", "sync_reports", "revocations"] as const;

/** The ids that each bucket gives out: enough for a thousand a second for thirty years, and for 8 192 buckets below 2^53. */
export const idsOfBucket = 2 ** 40;

/**
 * Makes an empty database a bucket of an installation, with ids of its own, or checks that it is that bucket. The installation's facts
 * must be written. Throws `DatabaseError` `unusable` for a database that is another bucket, or is in use without being one.
 */
export async function claimBucket(database: Database, mark: BucketMark): Promise<void> {
  const name = describeLocation(database.location);
  await database.transaction(async (trx) => {
    const known = await readBucketMark(trx);
    if (known !== null) return requireSame(known, mark, name);
    if (mark.bucket > 1) await takeIds(trx, mark.bucket, name);
    await writeBucketMark(trx, mark);
  });
}

function requireSame(known: BucketMark, { bucket, homeFingerprint }: BucketMark, name: string): void {
  if (Buffer.compare(known.homeFingerprint, homeFingerprint) !== 0)
    throw new DatabaseError(
      "unusable",
      `The database ${name} is a bucket of another installation, or the first address of DATABASE_URL is not the one that it was set up with. Nothing was changed.`,
    );
  if (known.bucket !== bucket)
    throw new DatabaseError(
      "unusable",
      `The database ${name} is bucket ${known.bucket}, and DATABASE_URL has it at place ${bucket}: list the databases in the order in which they were added. Nothing was changed.`,
    );
}

async function takeIds(trx: WriteTransaction, bucket: number, name: string): Promise<void> {
  const user = await trx.selectFrom("users").select("id").limit(1).executeTakeFirst();
  if (user !== undefined)
    throw new DatabaseError(
      "unusable",
      `The database ${name} has people already, as an installation of its own: a new bucket must be empty. Nothing was changed.`,
    );
  const before = (bucket - 1) * idsOfBucket;
  for (const table of tablesWithIds)
    await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${before}::int8)`.execute(trx);
}
