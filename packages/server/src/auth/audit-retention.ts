import { setTimeout } from "node:timers/promises";
import type { Database } from "../store/port.ts";
import { deleteOldAudit } from "../store/queries/audit.ts";

/** Events that one transaction deletes: it blocks other writers for some milliseconds. */
const deletedAtATime = 500;

/** Pause between two such transactions, for other writers. */
const deletionPauseMs = 20;

/** Deletes the events of all audit trails from before a time, some at a time, and returns how many there were. */
export async function deleteOldEvents(
  database: Database,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  let deleted = 0;
  while (!signal.aborted) {
    const some = await database.record((trx) => deleteOldAudit(trx, before, deletedAtATime));
    deleted += some;
    if (some < deletedAtATime) break;
    await setTimeout(deletionPauseMs);
  }
  return deleted;
}
