import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/clock.ts";
import type { Provider } from "../provider/port.ts";
import type { Graphs } from "../publication/graphs.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { finishSync, setNeedsReauth, setSyncProgress } from "../store/connections.ts";
import type { Database } from "../store/database.ts";
import { createCatalog } from "./catalog.ts";
import { readContents } from "./contents.ts";
import { isWithdrawal, reasonOf } from "./failure.ts";
import { createOutage } from "./outage.ts";
import { openAccessToken, type Plan, planRun } from "./plan.ts";
import { createProgress } from "./progress.ts";
import { createPublisher } from "./publisher.ts";
import type { Run } from "./run.ts";
import { readTitles } from "./titles.ts";

/** What syncing takes. */
export interface SyncParts {
  readonly database: Database;
  readonly provider: Provider;
  readonly secrets: Secrets;
  readonly graphs: Pick<Graphs, "publish">;
  readonly clock: Clock;
  readonly log: FastifyBaseLogger;
}

/**
 * Reads everything that a connection opens into the store, and once more where its grant was replaced meanwhile: the
 * new one may open other pages. However that ends, the connection says so. Once the signal is aborted it stops and
 * leaves the connection as one whose sync is under way. Throws only where the database fails.
 */
export async function syncConnection(
  connectionId: number,
  parts: SyncParts,
  signal: AbortSignal,
): Promise<void> {
  const { database, secrets, clock, log } = parts;
  try {
    for (let isReplaced = true; isReplaced; ) {
      const plan = await planRun(database, secrets, connectionId, clock());
      if (plan === null) return;
      log.info({ connectionId, run: plan.number }, "a sync has begun");
      const failure = await run(plan, connectionId, parts, signal);
      if (signal.aborted) return;
      const accessToken = await openAccessToken(database.read, secrets, connectionId);
      if (accessToken === null) return log.info({ connectionId }, "a sync has ended: its connection is gone");
      isReplaced = accessToken !== plan.accessToken;
      if (failure === null) await finish(connectionId, parts);
      else await fail(connectionId, failure.error, isReplaced, parts);
    }
  } catch (error) {
    await fail(connectionId, error, false, parts);
  }
}

/** Runs to the end; returns what it failed with, null where it did not. */
async function run(
  { number, accessToken, rereadFrom }: Plan,
  connectionId: number,
  { database, provider, graphs, clock, log }: SyncParts,
  signal: AbortSignal,
): Promise<{ readonly error: unknown } | null> {
  const progress = createProgress(database, connectionId, clock);
  const publisher = createPublisher(graphs, connectionId, clock);
  const reader = provider.reader(accessToken, (until) => progress.wait(until));
  const shared = { connectionId, database, reader, progress, publisher, signal, clock };
  const current: Run = {
    ...shared,
    number,
    rereadFrom,
    catalog: createCatalog(),
    outage: createOutage(),
    log: log.child({ connectionId, run: number }),
  };
  try {
    const reread = await readTitles(current);
    await readContents(current, reread).finally(() => signal.aborted || publisher.publish());
    await progress.settle();
    return null;
  } catch (error) {
    await progress.settle().catch(() => {});
    return { error };
  }
}

async function finish(connectionId: number, { database, clock, log }: SyncParts): Promise<void> {
  await database.transaction((trx) => finishSync(trx, connectionId, clock()));
  log.info({ connectionId }, "a sync has completed");
}

async function fail(
  connectionId: number,
  error: unknown,
  isReplaced: boolean,
  { database, clock, log }: SyncParts,
): Promise<void> {
  log.error({ connectionId, err: error }, "a sync has failed");
  await database.transaction(async (trx) => {
    // A grant that was replaced was withdrawn by that.
    if (isWithdrawal(error) && !isReplaced) await setNeedsReauth(trx, connectionId);
    const failed = { state: "failed", finishedAt: clock(), error: reasonOf(error) } as const;
    await setSyncProgress(trx, connectionId, failed);
  });
}
