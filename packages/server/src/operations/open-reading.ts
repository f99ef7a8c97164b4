import type { Config } from "../config/config.ts";
import { createCursors } from "../cursor/cursors.ts";
import { createResponseCache } from "../http/response-cache.ts";
import type { Clock } from "../model/clock.ts";
import type { Graphs } from "../publication/graphs.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/database.ts";
import type { Door, Reading } from "./asking.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly graphs: Graphs;
  readonly clock: Clock;
  readonly config: Pick<Config, "withdrawnGrace" | "allowed">;
}

/** Puts together what the operations behind a door read with: one for all transports, which then share what is known. */
export function openReading({ database, secrets, graphs, clock, config }: Parts, door: Door): Reading {
  return {
    door,
    database,
    graphs,
    cursors: createCursors(secrets),
    responses: createResponseCache(),
    allowed: config.allowed,
    oldestWithdrawal: () => clock() - config.withdrawnGrace,
    monotonic: () => performance.now(),
  };
}
