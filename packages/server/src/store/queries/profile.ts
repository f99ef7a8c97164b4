import type { Kysely } from "kysely";

/** How dialects differ where queries can tell. A dialect's adapter has its profile. */
export interface Profile {
  /** Whether the list of an `in` is one parameter, an array, and not a parameter for each value. */
  readonly bindsLists: boolean;
  /**
   * Whether a transaction that reads a row must lock it, so that writers of the row wait. If transactions run one at a time,
   * writers wait anyway.
   */
  readonly locksRows: boolean;
  /** Whether each statement is a round trip to a server, so that reads of one moment should share one. */
  readonly sharesReads: boolean;
  /**
   * Whether an index is chosen by statistics, which may be wrong, and a condition that the index of changes has, and no other,
   * keeps the planner to it.
   */
  readonly marksChanges: boolean;
}

export function profileOf(db: Pick<Kysely<unknown>, "getExecutor">): Profile {
  const { adapter } = db.getExecutor();
  // The store opens all handles, with adapters that have one.
  return (adapter as typeof adapter & { readonly profile: Profile }).profile;
}
