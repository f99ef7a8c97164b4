import type { FastifyBaseLogger } from "fastify";
import type { Clock } from "../model/clock.ts";
import type { Provider } from "../provider/port.ts";
import type { Graphs } from "../publication/graphs.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { finishSync, setNeedsReauth, setSyncProgress } from "../store/connections.ts";
import type { Database, Db } from "../store/database.ts";
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
    for (let isSettled = false; !isSettled; ) {
      const plan = await planRun(database, secrets, connectionId, clock());
      if (plan === null) return;
      log.info({ connectionId, run: plan.number }, "a sync has begun");
      const failure = await run(plan, connectionId, parts, signal);
      if (signal.aborted) return;
      isSettled = await settle(connectionId, plan, failure, parts);
    }
  } catch (error) {
    log.error({ connectionId, err: error }, "a sync has failed");
    await database.transaction((trx) => fail(trx, connectionId, error, clock()));
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

/**
 * Writes down how a run ended. False, and nothing is written, where its grant was replaced meanwhile: what the run has
 * to say, the next one says better. Both are decided in one transaction, so that no sign-in falls in between.
 */
async function settle(
  connectionId: number,
  { accessToken }: Plan,
  failure: { readonly error: unknown } | null,
  { database, secrets, clock, log }: SyncParts,
): Promise<boolean> {
  if (failure !== null) log.error({ connectionId, err: failure.error }, "a run of a sync has failed");
  const outcome = await database.transaction(async (trx) => {
    const current = await openAccessToken(trx, secrets, connectionId);
    if (current === null) return "a sync has ended: its connection is gone";
    if (current !== accessToken) return null;
    if (failure !== null) return fail(trx, connectionId, failure.error, clock());
    await finishSync(trx, connectionId, clock());
    return "a sync has completed";
  });
  if (outcome !== null) log.info({ connectionId }, outcome);
  return outcome !== null;
}

async function fail(trx: Db, connectionId: number, error: unknown, now: number): Promise<string> {
  if (isWithdrawal(error)) await setNeedsReauth(trx, connectionId);
  await setSyncProgress(trx, connectionId, { state: "failed", finishedAt: now, error: reasonOf(error) });
  return "a sync has failed";
}
