import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { graphFilePath, graphFolder } from "../config/data-dir.ts";
import { sealTokens } from "../connections/grant.ts";
import { requestJob } from "../connections/request-sync.ts";
import { listAudit } from "../store/queries/audit.ts";
import {
  findConnection,
  finishSync,
  setNeedsReauth,
  setSyncProgress,
  upsertConnection,
} from "../store/queries/connections.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { requireFingerprint } from "../store/queries/installation.ts";
import { deleteJob, findJob } from "../store/queries/jobs.ts";
import { page } from "../store/testing/scratch.ts";
import { CommandError } from "./installation.ts";
import { testInstallation } from "./testing/installation.ts";

const minute = 60_000;

/**
 * Three connections, with the default SYNC_INTERVAL of an hour: of ann, two pages, synced; of ben, never synced
 * and failing; of ben, with a withdrawn grant.
 */
async function settle(t: TestContext) {
  const installation = await testInstallation(t);
  const { now } = installation;
  const ids = await installation.with(async ({ database, secrets, add }) => {
    await add("ann");
    await add("ben");
    return database.transaction(async (trx) => {
      const connect = async (userId: string, workspaceId: string, name: string | null) => {
        const sealed = sealTokens(
          secrets,
          { userId, workspaceId },
          { accessToken: "access", refreshToken: null },
        );
        const grant = {
          userId,
          workspaceId,
          name,
          icon: null,
          provider: "stand-in",
          grantId: "grant",
          ...sealed,
        };
        const { id } = await upsertConnection(trx, grant, now);
        await requestJob(trx, id, { by: "sign-in" }, now);
        return id;
      };
      const synced = await connect("ann", "w1", "Labyrinth\u001b[31m");
      await upsertNodes(trx, synced, [page(1), page(2)]);
      await finishSync(trx, synced, { startedAt: now - minute, now, isComplete: true });
      await deleteJob(trx, synced);
      const failing = await connect("ben", "w2", null);
      await setSyncProgress(trx, failing, {
        state: "failed",
        outcome: "failed",
        error: "The provider is away",
      });
      const withdrawn = await connect("ben", "w3", "Harbour");
      await setNeedsReauth(trx, withdrawn, now);
      return { synced, failing, withdrawn };
    });
  });
  return { installation, ids };
}

test("OPS-7: connections list shows the owner, size and syncs of each connection", async (t) => {
  const { installation, ids } = await settle(t);
  const { now } = installation;
  const listed = JSON.parse(await installation.run("connections", "list", "--json"));
  const [{ stored_bytes: bytes }] = listed;
  assert.ok(bytes > 0);
  assert.deepEqual(listed[0], {
    id: ids.synced,
    owner: "ann",
    provider: "stand-in",
    workspace_id: "w1",
    workspace_name: "Labyrinth\u001b[31m",
    status: "active",
    pages: 2,
    stored_bytes: bytes,
    state: "idle",
    last_synced_at: new Date(now).toISOString(),
    outcome: "complete",
    error: null,
    next_sync_at: new Date(now + 60 * minute).toISOString(),
  });
  const nexts = listed.map(({ next_sync_at }: { next_sync_at: string | null }) => next_sync_at);
  assert.deepEqual(nexts.slice(1), [new Date(now).toISOString(), null]);

  const table = await installation.run("connections", "list");
  assert.match(
    table,
    new RegExp(`^${ids.synced} +ann +stand-in +Labyrinth +active +2 +\\d+ B +2031.* complete `, "m"),
  );
  assert.match(
    table,
    new RegExp(
      `^${ids.failing} +ben +stand-in +w2 +active +0 +0 B +never .* failed .* The provider is away$`,
      "m",
    ),
  );
  const failing = JSON.parse(await installation.run("connections", "list", "--failing", "--json"));
  assert.deepEqual(
    failing.map(({ id }: { id: number }) => id),
    [ids.failing, ids.withdrawn],
  );
  const users = JSON.parse(await installation.run("users", "list", "--json"));
  const sizes = users.map((user: Record<string, unknown>) => [user.id, user.pages, user.stored_bytes]);
  assert.deepEqual(sizes.toSorted(), [
    ["ann", 2, bytes],
    ["ben", 0, 0],
  ]);
});

test("OPS-7: connections list names no next sync of a person off the lists, or without a schedule", async (t) => {
  const { installation, ids } = await settle(t);
  const nextOf = async (id: number) => {
    const listed: { id: number; next_sync_at: string | null }[] = JSON.parse(
      await installation.run("connections", "list", "--json"),
    );
    return listed.find((each) => each.id === id)?.next_sync_at;
  };
  installation.settings = { SYNC_INTERVAL: "0" };
  assert.equal(await nextOf(ids.synced), null);
  installation.settings = { ALLOWED_WORKSPACES: "w1" };
  assert.notEqual(await nextOf(ids.synced), null);
  assert.equal(await nextOf(ids.failing), null);
});

test("OPS-7: connections sync requests what the owner could, and refuses what would never run", async (t) => {
  const { installation, ids } = await settle(t);
  const jobOf = (id: number) => installation.with(({ database }) => findJob(database.read, id));
  assert.match(
    await installation.run("connections", "sync", String(ids.synced), "--full"),
    /^A sync of connection \d+ \(Labyrinth\) is requested/,
  );
  const job = await jobOf(ids.synced);
  assert.deepEqual([job?.extent, job?.priority, job?.dueAt], ["full", 0, installation.now]);

  const refused = (id: string, reason: RegExp) =>
    assert.rejects(installation.run("connections", "sync", id), (error) => {
      assert.ok(error instanceof CommandError);
      assert.match(error.message, reason);
      return true;
    });
  await refused(String(ids.withdrawn), /no longer accepts.*\(Harbour\): its owner has to sign in again/);
  for (const id of ["999", "x", "1e3", "0"]) await refused(id, /There is no connection .*connections list/);
  await installation.with(({ database }) => database.transaction((trx) => deleteJob(trx, ids.failing)));
  installation.settings = { ALLOWED_WORKSPACES: "w1" };
  await refused(String(ids.failing), /The allow lists do not permit the owner/);
  assert.equal(await jobOf(ids.failing), null);
});

test("OPS-7, GRAPH-15: connections disconnect removes the connection, queues its grant, and tells the owner", async (t) => {
  const { installation, ids } = await settle(t);
  const fingerprint = await installation.with(({ database }) => requireFingerprint(database.read));
  const folder = graphFolder(installation.folder, fingerprint);
  await mkdir(folder, { recursive: true });
  for (const id of [ids.synced, ids.failing]) await writeFile(graphFilePath(folder, id), "");
  assert.match(
    await installation.run("connections", "disconnect", String(ids.synced)),
    /^The connection \d+ \(Labyrinth\) is disconnected/,
  );
  assert.deepEqual(await readdir(folder), [`${ids.failing}.graph`]);
  await installation.with(async ({ database }) => {
    assert.equal(await findConnection(database.read, ids.synced), null);
    assert.notEqual(await findConnection(database.read, ids.failing), null);
    const revocations = await database.read.selectFrom("revocations").select("provider").execute();
    assert.deepEqual(revocations, [{ provider: "stand-in" }]);
    const [event] = await listAudit(database.read, "ann", { limit: 10 });
    assert.deepEqual(
      [event?.event, event?.workspaceId, event?.reason, event?.sessionId],
      ["workspace_disconnected", "w1", "operator", null],
    );
  });
  await assert.rejects(
    installation.run("connections", "disconnect", String(ids.synced)),
    /There is no connection/,
  );
});
