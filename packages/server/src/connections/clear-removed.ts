import { setTimeout } from "node:timers/promises";
import type { Database } from "../store/port.ts";
import { deleteSomeRemoved } from "../store/queries/removed-connections.ts";

/** Nodes to a transaction: to delete them takes some tens of milliseconds, in which nobody else is served. */
const batch = 200;

/** Milliseconds between two transactions, for everybody else. */
const delayMs = 20;

/** Deletes what removed connections held, bit by bit, until nothing is left of it. */
export async function clearRemoved(database: Database, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await database.transaction((trx) => deleteSomeRemoved(trx, batch)))) {
    database.upkeep.noteErasure();
    await setTimeout(delayMs);
  }
}
