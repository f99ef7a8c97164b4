import assert from "node:assert/strict";
import { test } from "node:test";
import { recordStatements } from "../../store/testing/record-statements.ts";
import { dated, isSearch } from "../testing/calls.ts";
import { openLooking } from "../testing/looking.ts";

const second = 1_000;
const minute = 60 * second;

const files = {
  "start.md": dated("# Start\n\n[first](guide/first.md)\n", "2025-05-01T00:00:00Z"),
  "guide/index.md": dated("# Guide\n", "2025-05-01T00:00:00Z"),
  "guide/first.md": dated("# First\n", "2025-05-01T00:00:00Z"),
};

/** A page that was edited now. */
const editedAt = (now: number, text: string) => dated(text, new Date(now).toISOString());

test("SYNC-11: a look without news is one call a minute, and writes no row, no report, no version and no line", async (t) => {
  const looking = await openLooking(t, files);
  const { database, calls, logged, made } = looking;
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(3 * minute);
  const before = await looking.connection(id);
  const statements = recordStatements(t);
  calls.length = 0;
  logged.length = 0;
  made.length = 0;
  await looking.pass(10 * minute);
  assert.deepEqual(new Set(calls.map(({ path }) => path)), new Set(["/v1/search"]));
  assert.equal(calls.length, 10);
  assert.deepEqual(new Set(made.map(({ outcome }) => outcome)), new Set(["quiet"]));
  const writes = statements().filter((text) => /^\s*(?:insert|update|delete)/i.test(text));
  assert.ok(writes.length > 0);
  assert.deepEqual(
    writes.filter((text) => !text.includes('"instances"')),
    [],
  );
  assert.deepEqual(logged, []);
  assert.deepEqual(await looking.connection(id), before);
  assert.equal(database.schemaFault(), null);
});

test("SYNC-11: an edit, a new page and its text show within 90 s, and only they are read", async (t) => {
  const looking = await openLooking(t, files);
  looking.startInstance();
  const { id } = await looking.connect();
  await looking.pass(5 * minute);
  looking.calls.length = 0;
  const before = await looking.connection(id);
  await looking.write({
    "guide/first.md": editedAt(looking.clock(), "# First\n\nNew words.\n"),
    "guide/second.md": editedAt(looking.clock(), "# Second\n\nMore words.\n"),
  });
  await looking.pass(90 * second);
  assert.match((await looking.textOf(id, "First")) ?? "", /New words/);
  assert.match((await looking.textOf(id, "Second")) ?? "", /More words/);
  const reads = looking.calls.filter((call) => !isSearch(call)).map(({ path }) => path.split("/").at(-1));
  assert.ok(reads.length >= 2 && reads.every((name) => name === "markdown"), reads.join());
  const after = await looking.connection(id);
  assert.deepEqual(
    [after.lastSyncedAt, after.completeAsOf, after.sync.outcome, after.sync.state],
    [before.lastSyncedAt, before.completeAsOf, "complete", "idle"],
  );
  assert.ok((after.editsAsOf ?? 0) > (before.completeAsOf ?? 0));
});
