import assert from "node:assert/strict";
import { test } from "node:test";
import { requestJob, type SyncRequest } from "../connections/request-sync.ts";
import type { Database } from "../store/port.ts";
import { collectionsOf, upsertCollections } from "../store/queries/containers.ts";
import { saveContents, upsertNodes } from "../store/queries/graph-pages.ts";
import { findJob, type Job } from "../store/queries/jobs.ts";
import { needsServer, testRace } from "../store/testing/interleave.ts";
import { nodeId, page, someConnection } from "../store/testing/scratch.ts";
import { claimJob, fenced, JobLost, leaseMs, releaseJob } from "./jobs/lease.ts";
import { abandonSync } from "./steps/finish.ts";
import type { SyncServices } from "./steps/open-context.ts";

/** A new connection with two pages and a job that waits, at two instances. */
async function stage(one: Database, other: Database) {
  await one.transaction((trx) => trx.deleteFrom("sync_jobs").execute());
  const id = await someConnection(one);
  const request = (database: Database, wish: SyncRequest) =>
    database.transaction((trx) => requestJob(trx, id, wish, database.clock()));
  await one.transaction((trx) => upsertNodes(trx, id, [page(1), page(2)]));
  await request(one, { by: "schedule" });
  return {
    one,
    other,
    id,
    request,
    /** Leases the job, `later` milliseconds from now. */
    claim: (database: Database, worker: string, later = 0) =>
      database.transaction((trx) =>
        claimJob(trx, worker, {
          ...{ providers: ["some"], now: database.clock() + later, except: [] },
          ...{ hasRoomFor: () => true, maxOvertakingNodes: 0 },
        }),
      ),
    release: (database: Database, worker: string) =>
      database.transaction((trx) => releaseJob(trx, { connectionId: id, worker }, database.clock())),
    job: () => findJob(one.read, id),
  };
}

/** Milliseconds after which a lease has ended by any clock. */
const afterLease = 2 * leaseMs;

const succeeded = (results: readonly PromiseSettledResult<unknown>[]) =>
  results.every(({ status }) => status === "fulfilled");

/** The value that an act resolved to; null if it failed. */
function resolved<T>(result: PromiseSettledResult<unknown> | undefined): T | null {
  // Each test knows what its acts resolve to.
  return result?.status === "fulfilled" ? (result.value as T) : null;
}

test("SYNC-9: of two workers that claim at the same time one gets the job", needsServer, (t) =>
  testRace(t, {
    stage,
    acts: [({ claim, one }) => claim(one, "a"), ({ claim, other }) => claim(other, "b")],
    verify: async ({ job }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const claims = results.flatMap((result) => resolved<Job>(result) ?? []);
      assert.equal(claims.length, 1);
      assert.equal((await job())?.worker, claims[0]?.worker);
    },
  }),
);

test("SYNC-9: a request leaves the job to the worker that claims it at the same time", needsServer, (t) =>
  testRace(t, {
    stage,
    acts: [({ claim, one }) => claim(one, "a"), ({ request, other }) => request(other, { full: true })],
    verify: async ({ job }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const { worker, extent, followUp } = (await job()) ?? {};
      assert.equal(worker, "a");
      assert.ok(extent === "full" || followUp?.extent === "full");
    },
  }),
);

test("SYNC-9: of two requests at the same time none is lost", needsServer, (t) =>
  testRace(t, {
    stage,
    acts: [({ request, one }) => request(one, { full: true }), ({ request, other }) => request(other, {})],
    verify: async ({ job }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const { extent, priority } = (await job()) ?? {};
      assert.deepEqual({ extent, priority }, { extent: "full", priority: 0 });
    },
  }),
);

/** A job that a worker has, and what ends it as a sync that failed. */
async function claimed(one: Database, other: Database) {
  const staged = await stage(one, other);
  await staged.claim(one, "a");
  const settle = (database: Database) => {
    const services: Partial<SyncServices> = { database, clock: database.clock };
    // It uses no other service.
    return abandonSync({ connectionId: staged.id, worker: "a" }, new Error(), services as SyncServices);
  };
  return { ...staged, settle };
}

test("SYNC-9: a request that comes while a sync ends has another one follow", needsServer, (t) =>
  testRace(t, {
    stage: claimed,
    acts: [({ settle, one }) => settle(one), ({ request, other }) => request(other, { by: "webhook" })],
    verify: async ({ job }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const { worker } = (await job()) ?? {};
      assert.equal(worker, null);
    },
  }),
);

test("SYNC-9: a worker that ends late does not end the sync of the one that took over", needsServer, (t) =>
  testRace(t, {
    stage: claimed,
    acts: [({ settle, one }) => settle(one), ({ claim, other }) => claim(other, "b", afterLease)],
    verify: async ({ job }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const taken = resolved<Job>(results[1]);
      // A claim tells the source too.
      assert.partialDeepStrictEqual(taken, await job());
    },
  }),
);

test(
  "SYNC-9: a worker that stops late does not release the job of the one that took over",
  needsServer,
  (t) =>
    testRace(t, {
      stage: claimed,
      acts: [({ release, one }) => release(one, "a"), ({ claim, other }) => claim(other, "b", afterLease)],
      verify: async ({ job }, results) => {
        assert.ok(succeeded(results), JSON.stringify(results));
        assert.equal((await job())?.worker, "b");
      },
    }),
);

test(
  "SYNC-9: the worker that takes over sees what the earlier one writes late, or it is never written",
  needsServer,
  (t) =>
    testRace(t, {
      // A worker reads what is known outside of transactions, which serializable ones take no notice of.
      needs: "row locks",
      stage: claimed,
      acts: [
        ({ one, id }) =>
          fenced(one, { connectionId: id, worker: "a" }).transaction((trx) =>
            upsertCollections(trx, id, [{ id: nodeId(9), databaseId: nodeId(1), columns: null }]),
          ),
        async ({ claim, other, id }) => {
          await claim(other, "b", afterLease);
          return (await collectionsOf(other.read, id)).length;
        },
      ],
      verify: async ({ one, id }, [late, takeover]) => {
        if (late?.status === "rejected") assert.ok(late.reason instanceof JobLost, String(late.reason));
        assert.equal(resolved(takeover), (await collectionsOf(one.read, id)).length);
      },
    }),
);

test("GRAPH-11: two changes at the same time have two revisions", needsServer, (t) =>
  testRace(t, {
    stage,
    acts: [
      ({ one, id }) => one.transaction((trx) => upsertNodes(trx, id, [page(3)])),
      ({ other, id }) => other.transaction((trx) => upsertNodes(trx, id, [page(4)])),
    ],
    verify: async ({ one, id }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const rows = await one.read
        .selectFrom("nodes")
        .select("changed_revision")
        .where("connection_id", "=", id)
        .orderBy("changed_revision")
        .execute();
      assert.deepEqual(
        rows.map((row) => row.changed_revision),
        [1, 1, 2, 3],
      );
    },
  }),
);

test("SYNC-6: a text of before an edit that is stored at the same time is read again", needsServer, (t) =>
  testRace(t, {
    stage,
    acts: [
      ({ one, id }) =>
        one.transaction((trx) => {
          const text = { markdown: "before", references: [], state: "ready" } as const;
          return saveContents(trx, id, new Map([[nodeId(1), text]]));
        }),
      ({ other, id }) => other.transaction((trx) => upsertNodes(trx, id, [page(1, { updatedAt: 2 })])),
    ],
    verify: async ({ one, id }, results) => {
      assert.ok(succeeded(results), JSON.stringify(results));
      const node = await one.read
        .selectFrom("nodes")
        .innerJoin("contents", (join) =>
          join
            .onRef("contents.connection_id", "=", "nodes.connection_id")
            .onRef("contents.node_id", "=", "nodes.id"),
        )
        .select(["nodes.updated_at as edited", "contents.updated_at as stored", "content_state as state"])
        .where("nodes.connection_id", "=", id)
        .executeTakeFirstOrThrow();
      assert.ok(node.state === "pending" || node.stored === node.edited, JSON.stringify(node));
    },
  }),
);
