import type { Clock } from "../model/clock.ts";
import { connectionsDue } from "../store/connections.ts";
import type { Database } from "../store/database.ts";
import type { SyncService } from "./service.ts";

interface Parts {
  readonly database: Database;
  readonly sync: Pick<SyncService, "request">;
  readonly clock: Clock;
  /** Milliseconds from the end of a connection's sync to the next one. */
  readonly interval: number;
  /** Told why a look at the connections failed; the next one tries again. */
  readonly onError: (error: unknown) => void;
}

/** Syncs that nobody asks for, so that graphs stay fresh (SYNC-9). */
export interface Schedule {
  /** Asks for the syncs that are due now. */
  look(): Promise<void>;
  stop(): void;
}

/** How often the schedule looks for connections that are due. */
const glance = 15_000;

/** Looks from time to time for connections that are due. An interval of 0 leaves syncing to those who ask for it. */
export function createSchedule({ database, sync, clock, interval, onError }: Parts): Schedule {
  const look = async () => {
    for (const id of await connectionsDue(database.read, clock() - interval)) await sync.request(id);
  };
  const timer = interval === 0 ? undefined : setInterval(() => void look().catch(onError), glance).unref();
  return { look, stop: () => clearInterval(timer) };
}
