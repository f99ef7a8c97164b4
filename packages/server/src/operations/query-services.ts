import type { Config } from "../config/config.ts";
import type { Graphs } from "../graph-cache/graphs.ts";
import { createResponseCache } from "../http/response-cache.ts";
import type { Clock } from "../model/runtime.ts";
import type { Secrets } from "../secrets/secrets.ts";
import type { Database } from "../store/port.ts";
import { createCursors } from "./cursors.ts";
import type { Audience, QueryServices } from "./request-context.ts";

interface Parts {
  readonly database: Database;
  readonly secrets: Secrets;
  readonly graphs: Graphs;
  readonly clock: Clock;
  readonly config: Pick<Config, "withdrawnGrace" | "allowed">;
}

/** Puts together what the operations behind a door read with: one for all transports, which then share what is known. */
export function createQueryServices(
  { database, secrets, graphs, clock, config }: Parts,
  audience: Audience,
): QueryServices {
  return {
    audience,
    database,
    graphs,
    cursors: createCursors(secrets),
    responses: createResponseCache(),
    allowed: config.allowed,
    oldestWithdrawal: () => clock() - config.withdrawnGrace,
    monotonic: () => performance.now(),
  };
}
