import type { AllowList } from "../model/allow-list.ts";
import type { Clock } from "../model/runtime.ts";
import type { Provider } from "../provider/port.ts";
import type { Database } from "../store/port.ts";
import { connectionsDue } from "../store/queries/connections.ts";
import { type Background, repeat } from "./jobs/repeat.ts";
import type { SyncService } from "./service.ts";

interface Parts {
  readonly database: Database;
  readonly provider: Pick<Provider, "slug">;
  /** Who may use Clew: nobody else's workspaces are read (SIGN-10). */
  readonly allowed: AllowList;
  readonly sync: Pick<SyncService, "request">;
  readonly clock: Clock;
  /** Milliseconds from the end of a connection's sync to the next one; 0 leaves syncing to those who ask for it. */
  readonly interval: number;
}

/** How often the schedule looks for connections that are due, in milliseconds. */
const pollIntervalMs = 15_000;

/** Asks for the syncs that nobody asks for, so that graphs stay fresh (SYNC-9). */
export async function askForDueSyncs(parts: Parts): Promise<void> {
  const { database, provider, allowed, sync, clock, interval } = parts;
  if (interval === 0) return;
  const search = { provider: provider.slug, allowed, endedBefore: clock() - interval };
  const due = await connectionsDue(database.read, search);
  for (const id of due) await sync.request(id, { by: "schedule" });
}

/** Does so from time to time. `onError` is told why a look at the connections failed; the next one tries again. */
export function startSchedule(parts: Parts, onError: (error: unknown) => void): Background {
  return repeat({ intervalMs: pollIntervalMs, work: () => askForDueSyncs(parts), onError });
}
