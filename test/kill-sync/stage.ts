import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RecordedRequest } from "@clew/stand-in/testing";
import type { Random } from "@clew/stand-in/testing/random";
import { requestJob } from "../../packages/server/src/connections/request-sync.ts";
import { syncReportsOf } from "../../packages/server/src/store/queries/sync-reports.ts";
import { dataRoot } from "../../packages/server/src/store/testing/location.ts";
import { createRandomWorkspace, roots } from "../../packages/server/src/sync/testing/random-workspace.ts";
import { storedGraph } from "../../packages/server/src/sync/testing/stored-graph.ts";
import { openSyncing, serveWorkspace } from "../../packages/server/src/sync/testing/syncing.ts";
import { countRows } from "./row-counts.ts";
import { type Moment, startWorker } from "./worker.ts";

/** A workspace, its provider, a database, and one worker after another. */
interface Stage {
  /** Pages are added, edited, renamed and moved; none is removed. */
  change(): Promise<void>;
  /** Requests a sync. Returns the approximate number of calls that it takes. */
  request(): Promise<number>;
  /**
   * A worker resumes the sync until it is killed at that moment, or until the sync is over if that comes first or the
   * moment is null. Returns the phase in which it was killed. Throws if something that it had committed is lost.
   */
  live(until: Moment | null): Promise<string | null>;
  /** The requests of the latest sync. */
  requests(): readonly RecordedRequest[];
  /** Throws unless the sync is complete and its graph is that of an undisturbed one. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** The latency of every response in milliseconds, so that some are in flight at a kill. */
const latency = 4;

const beginnings = ["page", "page", "page", "page", "database", "edit"] as const;
const changes = ["page", "edit", "edit", "edit", "rename", "move"] as const;
const day = 86_400_000;

export async function openStage(random: Random): Promise<Stage> {
  const folder = await mkdtemp(join(dataRoot, "clew-kill-"));
  const directory = join(folder, "pages");
  let editedAt = Date.now() - day;
  const model = createRandomWorkspace(editedAt);
  const happen = (kinds: readonly (typeof beginnings | typeof changes)[number][], count: number) => {
    const number = () => Math.floor(random() * 1000);
    for (let done = 0; done < count; done += 1) {
      const what = kinds[number() % kinds.length] ?? "edit";
      model.happen({ what, one: number(), other: number() }, editedAt);
    }
  };
  const write = async () => {
    await rm(directory, { recursive: true, force: true });
    for (const [path, text] of Object.entries(model.files())) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  };
  happen(beginnings, 40 + Math.floor(random() * 60));
  await write();

  const standIn = await serveWorkspace(directory, { recordRequests: true, followFolder: false });
  standIn.faults.set([{ on: "*", fault: { kind: "latency", milliseconds: latency } }]);
  const key = randomBytes(32);
  const path = join(folder, "clew.sqlite");
  // Its scheduler is not started; the workers run the syncs.
  const syncing = await openSyncing({ location: { kind: "sqlite", path }, apiUrl: standIn.url, key });
  const { database } = syncing;
  const { id: connectionId } = await syncing.connect({ pages: roots });
  let lives = 0;
  let expectedCalls = standIn.workspace().entries.length;

  return {
    async change() {
      editedAt += day / 2;
      const count = 10 + Math.floor(random() * 30);
      happen(changes, count);
      expectedCalls = count;
      await write();
      await standIn.reload();
    },
    async request() {
      standIn.resetCalls();
      await database.transaction((trx) => requestJob(trx, connectionId, {}, Date.now()));
      return expectedCalls;
    },
    async live(until) {
      lives += 1;
      const worker = startWorker({ path, apiUrl: standIn.url, key, connectionId, life: lives });
      const wasKilled = await worker.end(until, () => standIn.requests().length);
      const held = await countRows(database, connectionId);
      for (const [what, least] of Object.entries(worker.acknowledged()))
        assert(held[what as keyof typeof held] >= least, `${what} were committed, and are lost`);
      const { sync } = await syncing.connection(connectionId);
      return wasKilled && sync.state !== "idle" ? (sync.phase ?? sync.state) : null;
    },
    requests: () => standIn.requests(),
    async verify() {
      const [report] = await syncReportsOf(database.read, connectionId);
      assert.equal(report?.outcome, "complete", JSON.stringify(report));
      const fresh = await openSyncing({
        location: { kind: "sqlite", path: join(folder, `fresh-${lives}.sqlite`) },
        apiUrl: standIn.url,
        key,
      });
      try {
        const { id } = await fresh.connect({ pages: roots });
        const undisturbed = await fresh.run(id);
        assert.equal(undisturbed.report.outcome, "complete");
        const expected = await storedGraph(fresh.database, id);
        assert.deepEqual(await storedGraph(database, connectionId), expected);
      } finally {
        await fresh.close();
      }
    },
    async close() {
      await syncing.close();
      await standIn.close();
      await rm(folder, { recursive: true });
    },
  };
}
