import type { Database } from "../store/port.ts";
import { storedBytesOf } from "../store/queries/connections.ts";

/** The limits on what syncs may store. */
export interface StorageLimits {
  /** Bytes that one connection may store; 0 = no limit. */
  readonly connectionQuota: number;
  /** Whether the disk has room for more than what must always be possible. */
  hasRoom(): boolean;
}

/** A sync has reached a limit and stores no more. The message is for the person whose workspace it is. */
export class StorageLimitReached extends Error {}

/** The database, limited: a write that makes a connection's data grow beyond a limit is undone. */
export function limited(database: Database, connectionId: number, limits: StorageLimits): Database {
  const { connectionQuota } = limits;
  return {
    ...database,
    transaction: (work) =>
      database.transaction(async (trx) => {
        const before = await storedBytesOf(trx, connectionId);
        const result = await work(trx);
        const after = await storedBytesOf(trx, connectionId);
        if (after <= before) return result;
        if (connectionQuota > 0 && after > connectionQuota)
          throw new StorageLimitReached(
            "This workspace has reached Clew's storage limit. The rest of it was not read: share fewer pages, or have the operator raise CONNECTION_QUOTA.",
          );
        if (!limits.hasRoom())
          throw new StorageLimitReached(
            "Clew's disk is almost full. The rest of the workspace was not read: the operator must make room on the disk.",
          );
        return result;
      }),
  };
}
