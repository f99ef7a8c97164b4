import assert from "node:assert/strict";
import { once } from "node:events";
import { rm, stat, writeFile } from "node:fs/promises";
import { type TestContext, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { formatLocation } from "../model/database-location.ts";
import type { Database } from "../store/port.ts";
import { upsertNodes } from "../store/queries/graph-pages.ts";
import { removeConnection } from "../store/queries/removed-connections.ts";
import { needsFile, onPostgres } from "../store/testing/location.ts";
import { startProcess } from "../store/testing/processes.ts";
import { page, scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { indexFile, openTexts, writeTexts } from "./testing/indexed-texts.ts";

async function setUp(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  return { database, id, ...openTexts(t, database) };
}

/** Counts the rows of a table of the index. */
function countRows(database: Database, table: string): number {
  const file = new BetterSqlite3(indexFile(database), { readonly: true });
  try {
    return Number(file.prepare(`select count(*) from ${table}`).pluck().get());
  } finally {
    file.close();
  }
}

test("GRAPH-18: an update indexes what has changed, and forgets earlier texts and removed pages", async (t) => {
  const { database, id, texts, find } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet", 2: "a comet and a nova", 3: "a planet" });
  await texts.update(id);
  assert.deepEqual(await find(id, "comet"), [1, 2]);
  await writeTexts(database, id, { 1: "a quasar", 2: null, 4: "another comet" });
  assert.deepEqual(await find(id, "comet"), [1], "as it was indexed, in the pages that are still there");
  await texts.update(id);
  assert.deepEqual(await find(id, "comet"), [4]);
  assert.deepEqual(await find(id, "quasar planet"), [1, 3]);
});

test("GRAPH-17: titles, aliases and properties are found, and ids in relations are not", async (t) => {
  const { database, id, texts, find } = await setUp(t);
  const related = "0188a3f2-0000-4000-8000-00000000c0de";
  await database.transaction(async (trx) => {
    const properties = {
      Owner: "Caroline Herschel",
      Seen: { start: "1786-08-01", end: null },
      Tags: ["bright"],
      Size: 42,
      Done: true,
      Related: [related],
    };
    const given = { title: "Comet C1786", aliases: ["Lady's comet"], properties };
    await upsertNodes(trx, id, [page(7, given)]);
  });
  await texts.update(id);
  for (const query of ["c1786", "lady", "herschel", "1786-08-01", "bright", "42"])
    assert.deepEqual(await find(id, query), [7], query);
  for (const query of [related, "true"]) assert.deepEqual(await find(id, query), [], query);
});

test("GRAPH-18: `indexed` is the share of the texts that can be found", async (t) => {
  const { database, id, texts, open } = await setUp(t);
  assert.equal((await open(id)).indexed, 1, "nothing is missing where there is nothing");
  await writeTexts(database, id, { 1: "one", 2: "two", 3: "three" });
  assert.equal((await open(id)).indexed, 0);
  await database.transaction(async (trx) => {
    await upsertNodes(trx, id, [page(4)]);
  });
  await texts.update(id);
  assert.equal((await open(id)).indexed, 0.75, "the text of one page has not been read yet");
  await writeTexts(database, id, { 4: "four" });
  await texts.update(id);
  assert.equal((await open(id)).indexed, 1);
});

test("GRAPH-18: many small updates are merged, and what is found stays the same", async (t) => {
  const { database, id, texts, open, find } = await setUp(t);
  for (let number = 1; number <= 24; number += 1) {
    await writeTexts(database, id, { [number]: `star number ${number}`, 1: `the first of ${number} stars` });
    await texts.update(id);
  }
  while ((await open(id)).segments.length > 6) await sleep(10);
  // The first page has another form of the word.
  assert.deepEqual(
    await find(id, "star"),
    Array.from({ length: 24 }, (_, index) => index + 1),
  );
  assert.deepEqual(await find(id, "first"), [1]);
});

test("GRAPH-18: the index of a removed connection is deleted, and that of others stays", {
  skip: needsFile,
}, async (t) => {
  const { database, id, texts, find } = await setUp(t);
  const other = await someConnection(database);
  for (const connection of [id, other]) {
    await writeTexts(database, connection, { 1: "a comet" });
    await texts.update(connection);
  }
  await database.transaction((trx) => removeConnection(trx, id, 1));
  await texts.tend([]);
  assert.deepEqual(await find(other, "comet"), [1]);
  for (const table of ["text_manifests", "text_segments", "text_pages", "text_blocks"])
    assert.equal(countRows(database, table), 1, table);
  await database.transaction((trx) => removeConnection(trx, other, 1));
  await texts.tend([]);
  for (const table of ["text_manifests", "text_segments", "text_pages", "text_blocks"])
    assert.equal(countRows(database, table), 0, table);
});

test("GRAPH-18: a lost index is built again", { skip: needsFile }, async (t) => {
  const { database, id, texts } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet" });
  await texts.update(id);
  await texts.close();
  await rm(indexFile(database));
  const again = openTexts(t, database);
  assert.equal((await again.open(id)).indexed, 0);
  await again.texts.tend([]);
  assert.deepEqual(await again.find(id, "comet"), [1]);
  assert.deepEqual(again.logged, []);
});

test("GRAPH-18: a damaged index is deleted and built again", { skip: needsFile }, async (t) => {
  const { database, id, texts } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet" });
  await texts.update(id);
  await texts.close();
  for (const suffix of ["-wal", "-shm"]) await rm(indexFile(database) + suffix, { force: true });
  await writeFile(indexFile(database), Buffer.alloc(50_000, "damage "));
  const again = openTexts(t, database);
  await again.texts.tend([]);
  assert.deepEqual(await again.find(id, "comet"), [1]);
  assert.match(again.logged.join("\n"), /deleted the text index/);
});

test("GRAPH-18: after a restore every page that differs is indexed again", {
  skip: onPostgres && "a backup of the database has its index",
}, async (t) => {
  const { database, id, texts } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet", 2: "a planet" });
  await texts.update(id);
  await texts.close();
  // The restored database has another text, at a revision that the index has passed already.
  await database.transaction(async (trx) => {
    await trx
      .updateTable("contents")
      .set({ markdown: "a quasar", digest: "restored" })
      .where("node_id", "=", Buffer.from("1".padStart(32, "0"), "hex"))
      .execute();
  });
  const again = openTexts(t, database);
  await again.texts.tend([]);
  assert.deepEqual(await again.find(id, "comet"), []);
  assert.deepEqual(await again.find(id, "quasar planet"), [1, 2]);
});

test("GRAPH-18: the index of another installation is deleted", async (t) => {
  const { database, id, texts } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet" });
  await texts.update(id);
  await texts.close();
  await database.transaction((trx) =>
    sql`insert into installation (id, sealed_key_check, fingerprint) values (1, ${Buffer.of(1)}, ${Buffer.of(2)})`.execute(
      trx,
    ),
  );
  const again = openTexts(t, database);
  assert.equal((await again.open(id)).indexed, 0);
  await again.texts.tend([]);
  assert.deepEqual(await again.find(id, "comet"), [1]);
  assert.match(again.logged.join("\n"), /deleted the text index/);
});

test("SEC: the file of the index is private", { skip: needsFile }, async (t) => {
  const { database, id, texts } = await setUp(t);
  await texts.update(id);
  for (const suffix of ["", "-wal", "-shm"]) {
    const { mode } = await stat(indexFile(database) + suffix);
    assert.equal(mode & 0o777, 0o600, suffix);
  }
});

test("GRAPH-18: two processes index the same connection without losing anything", async (t) => {
  const { database, id, texts, find } = await setUp(t);
  const other = openTexts(t, database);
  for (let round = 0; round < 5; round += 1) {
    await writeTexts(database, id, { [2 * round + 1]: "a comet", [2 * round + 2]: "a comet" });
    await Promise.all([texts.update(id), other.texts.update(id)]);
    const expected = Array.from({ length: 2 * round + 2 }, (_, index) => index + 1);
    assert.deepEqual(await find(id, "comet"), expected);
    assert.deepEqual(await other.find(id, "comet"), expected);
  }
});

test("OPS-8: two instances that tend the index at the same time index each text once", {
  skip: !onPostgres && "processes that share a file do not lease",
}, async (t) => {
  const { database, texts } = await setUp(t);
  const other = openTexts(t, database);
  const ids: number[] = [];
  for (let count = 0; count < 8; count += 1) {
    const id = await someConnection(database);
    const pages = Array.from({ length: 50 }, (_, index) => [index + 1, `a comet, ${index}`]);
    await writeTexts(database, id, Object.fromEntries(pages));
    ids.push(id);
  }
  const segments = async () => {
    const found = await sql<{ id: number }>`
      select connection_id as id from text_segments where connection_id = any(${ids}) order by connection_id`.execute(
      database.read,
    );
    return found.rows.map(({ id }) => id);
  };
  while (new Set(await segments()).size < ids.length)
    await Promise.all([texts.tend([]), other.texts.tend([])]);
  assert.deepEqual(await segments(), ids);
});

test("OPS-8: an instance learns what another one has indexed", async (t) => {
  const { database, id, texts } = await setUp(t);
  const other = openTexts(t, database);
  await other.texts.tend([id]);
  const grown: number[] = [];
  other.texts.onGrown((each) => void grown.push(each));
  await other.texts.tend([id]);
  assert.deepEqual(grown, []);
  await writeTexts(database, id, { 1: "a comet" });
  await texts.update(id);
  await other.texts.tend([id]);
  assert.deepEqual(grown, [id]);
});

test("OPS-6: kill -9 while texts are indexed leaves the index as it was, and the next process continues", {
  skip: needsFile,
}, async (t) => {
  const { database, id, texts } = await setUp(t);
  await writeTexts(database, id, { 1: "a comet", 2: "a planet" });
  await texts.update(id);
  const words = (first: number) =>
    Array.from({ length: 500 }, (_, index) => `word${(first * 7_919 + index * 104_729) % 20_011}`).join(" ");
  const changed = Array.from({ length: 100 }, (_, index) => index + 2);
  await writeTexts(database, id, Object.fromEntries(changed.map((each) => [each, `a comet ${words(each)}`])));
  const file = new BetterSqlite3(indexFile(database));
  t.after(() => file.close());
  const unnamed = file
    .prepare<[], number>("select id from text_segments where dropped_at is not null")
    .pluck();

  const script = new URL("./testing/index-process.ts", import.meta.url).href;
  const child = await startProcess(t, script, formatLocation(database.location), String(id));
  child.send("go");
  while (unnamed.get() === undefined) await sleep(1);
  // From now on the process cannot write, so it has not named the segment that it has begun.
  file.exec("begin immediate");
  const begun = unnamed.get();
  assert.notEqual(begun, undefined);
  child.kill("SIGKILL");
  await once(child, "exit");
  file.exec("rollback");

  assert.equal(file.pragma("integrity_check", { simple: true }), "ok");
  const next = openTexts(t, database);
  assert.deepEqual(await next.find(id, "comet"), [1]);
  assert.deepEqual(await next.find(id, "planet"), [2]);
  await next.texts.tend([]);
  assert.deepEqual(await next.find(id, "comet"), [1, ...changed]);
  assert.deepEqual(await next.find(id, "planet"), []);
  assert.equal((await next.open(id)).indexed, 1);
  assert.ok(unnamed.all().includes(Number(begun)), "what the killed process has begun is never named");
  file.exec("update text_segments set dropped_at = 0 where dropped_at is not null");
  while (unnamed.get() !== undefined) await next.texts.tend([]);
  assert.deepEqual(await next.find(id, "comet"), [1, ...changed]);
  assert.deepEqual(next.logged, []);
});
