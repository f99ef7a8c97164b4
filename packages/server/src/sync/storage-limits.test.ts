import assert from "node:assert/strict";
import { test } from "node:test";
import { sql } from "kysely";
import type { Database } from "../store/port.ts";
import { storedBytesOf } from "../store/queries/connections.ts";
import { createWorkspace } from "./testing/workspace.ts";

const files = Object.fromEntries(
  Array.from({ length: 12 }, (_, number) => [
    `page-${number}.md`,
    `# Page ${number}\n\nTo [the next](page-${(number + 1) % 12}.md). ${`Text ${number}. `.repeat(1_000)}\n`,
  ]),
);

/** The sum of the sizes of the connection's rows. */
async function counted({ read }: Database, connectionId: number): Promise<number> {
  const size = (fixed: number, columns: readonly string[]) =>
    sql.raw<number>([fixed, ...columns.map((column) => `coalesce(octet_length(${column}), 0)`)].join(" + "));
  const sum = async (table: "nodes" | "contents" | "node_references", bytes: ReturnType<typeof size>) => {
    const { rows } = await sql<{ sum: number | null }>`select sum(${bytes}) as sum from ${sql.table(table)}
      where connection_id = ${connectionId}`.execute(read);
    return rows[0]?.sum ?? 0;
  };
  return (
    (await sum(
      "nodes",
      size(200, ["title", "properties", "icon", "url", "aliases", "created_by", "edited_by"]),
    )) +
    (await sum("contents", size(100, ["markdown"]))) +
    (await sum("node_references", size(100, ["name", "target_name"])))
  );
}

test("SYNC-5: a sync that reaches CONNECTION_QUOTA stores no more, is incomplete and says why; with more room it continues", async (t) => {
  const storage = { connectionQuota: 60_000, hasRoom: () => true };
  const workspace = await createWorkspace(t, files, { storage });
  const { database } = workspace;
  const { id } = await workspace.connect();
  const first = await workspace.run(id);
  assert.deepEqual([first.sync.state, first.sync.outcome], ["idle", "incomplete"]);
  assert.match(first.sync.error ?? "", /storage limit.*CONNECTION_QUOTA/);
  const stored = await storedBytesOf(database.read, id);
  assert.ok(stored > 30_000 && stored <= 60_000, `${stored}`);
  assert.equal(stored, await counted(database, id), "the count is exact");
  assert.equal(first.completeAsOf, null);

  storage.connectionQuota = 0;
  const second = await workspace.run(id);
  assert.deepEqual([second.sync.outcome, second.sync.error], ["complete", null]);
  assert.equal((await workspace.titles(id)).length, 12);
  const all = await storedBytesOf(database.read, id);
  assert.ok(all > 60_000);
  assert.equal(all, await counted(database, id));

  // A page that shrinks may be written whatever the quota is.
  storage.connectionQuota = 1;
  await workspace.write({ "page-3.md": "# Page 3\n" });
  await workspace.run(id);
  const less = await storedBytesOf(database.read, id);
  assert.ok(less < all);
  assert.equal(less, await counted(database, id));
  await workspace.write({ "page-4.md": `# Page 4\n\n${"More words. ".repeat(5_000)}\n` });
  assert.equal((await workspace.run(id)).sync.outcome, "incomplete");
  assert.equal(await storedBytesOf(database.read, id), less, "and one that grows may not");
});

test("SYNC-5: a workspace that fills CONNECTION_QUOTA to the last byte is complete", async (t) => {
  const outcome = async (connectionQuota: number) => {
    const workspace = await createWorkspace(t, files, { storage: { connectionQuota, hasRoom: () => true } });
    const { id } = await workspace.connect();
    const { sync } = await workspace.run(id);
    return { outcome: sync.outcome, bytes: await storedBytesOf(workspace.database.read, id) };
  };
  const { bytes } = await outcome(0);
  assert.deepEqual(await outcome(bytes), { outcome: "complete", bytes });
  assert.equal((await outcome(bytes - 1)).outcome, "incomplete");
});

test("OPS-9: while the disk is almost full, syncs store no more and say so", async (t) => {
  let room = false;
  const workspace = await createWorkspace(t, files, {
    storage: { connectionQuota: 0, hasRoom: () => room },
  });
  const { id } = await workspace.connect();
  const first = await workspace.run(id);
  assert.equal(first.sync.outcome, "incomplete");
  assert.match(first.sync.error ?? "", /disk is almost full/);
  assert.equal(await storedBytesOf(workspace.database.read, id), 0);
  room = true;
  assert.equal((await workspace.run(id)).sync.outcome, "complete");
});
