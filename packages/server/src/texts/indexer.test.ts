import assert from "node:assert/strict";
import { dirname, join } from "node:path";
import { type TestContext, test } from "node:test";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { formatLocation } from "../model/database-location.ts";
import { openTextWriter } from "../store/database.ts";
import type { Database, TextWriter } from "../store/port.ts";
import { publishRevision } from "../store/queries/connections.ts";
import { removeConnection } from "../store/queries/removed-connections.ts";
import { connectTo, onPostgres, pathOf } from "../store/testing/location.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { Indexer } from "./indexer.ts";
import { StoredIndex } from "./stored-index.ts";
import { writeTexts } from "./testing/indexed-texts.ts";

/** A database with the writers of two instances. */
async function setUp(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const open = async () => {
    const writer = await openTextWriter(database.location, new Uint8Array(), assert.fail);
    t.after(() => writer.close());
    return writer;
  };
  return { database, writer: await open(), other: await open() };
}

const indexerOf = (database: Database, texts: TextWriter) =>
  new Indexer({ db: database.read, texts, index: new StoredIndex(texts), onProgress: () => {} });

const hour = 3_600_000;

/** Makes the segments that are being written begin `milliseconds` earlier. */
async function makeOlder({ location }: Database, milliseconds: number): Promise<void> {
  const statement = `update text_segments set dropped_at = dropped_at - ${milliseconds}`;
  if (onPostgres) {
    const client = await connectTo(formatLocation(location));
    await client.query(statement).finally(() => client.end());
  } else {
    const file = new Sqlite(join(dirname(pathOf(location)), "text-index.db"));
    file.exec(statement);
    file.close();
  }
}

/** Calls `act` before each call of a writer. */
function interrupted(writer: TextWriter, act: () => Promise<void>): TextWriter {
  return new Proxy(writer, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      return async (...parameters: readonly unknown[]) => {
        await act();
        return Reflect.apply(member, target, parameters);
      };
    },
  });
}

test("OPS-8: what an instance indexes of a new connection survives another's removal of old ones", async (t) => {
  const { database, writer, other } = await setUp(t);
  const indexing = indexerOf(database, other);
  for (let point = 0; ; point += 1) {
    const removed = await someConnection(database);
    await writeTexts(database, removed, { 1: "a comet" });
    await indexing.update(removed, { waits: true });
    await database.transaction((trx) => removeConnection(trx, removed, 1));
    let calls = 0;
    let added = 0;
    const act = async () => {
      calls += 1;
      if (calls - 1 !== point) return;
      added = await someConnection(database);
      await writeTexts(database, added, { 1: "a comet" });
      await indexing.update(added, { waits: true });
    };
    await indexerOf(database, interrupted(writer, act)).tidy();
    if (added === 0) break;
    await other.snapshot(async (view) => {
      assert.equal(await view.manifest(removed), null);
      const manifest = await view.manifest(added);
      assert.equal(manifest?.segments.length, 1);
      assert.equal(await view.hasSegments(manifest?.segments ?? []), true);
    });
  }
});

test("OPS-8: a publication is noticed after all connections were looked at once, until it is indexed", async (t) => {
  const { database, writer } = await setUp(t);
  const indexer = indexerOf(database, writer);
  assert.deepEqual(await indexer.outdated(), []);
  const publish = async (now: number) => {
    const id = await someConnection(database);
    await writeTexts(database, id, { 1: "a comet" });
    await database.transaction((trx) => publishRevision(trx, id, now));
    return id;
  };
  const first = await publish(1_000_000);
  // By the clock of the database it was published before, and its transaction ended after.
  const second = await publish(990_000);
  assert.deepEqual((await indexer.outdated()).sort(), [first, second].sort());
  await indexer.update(first, { waits: false });
  assert.deepEqual(await indexer.outdated(), [second]);
  await indexer.update(second, { waits: false });
  assert.deepEqual(await indexer.outdated(), []);
});

test("OPS-8: a segment that another instance removes is neither continued nor named", async (t) => {
  const { database, writer, other } = await setUp(t);
  const id = await someConnection(database);
  const block = { term: Buffer.from("comet"), part: 0, postings: Buffer.of(1), rows: [] };
  const writing = writer.writeSegment(id, {
    chunks: () => [Buffer.of(1)],
    async *blocks() {
      yield block;
      await other.removeConnections([id]);
    },
  });
  await assert.rejects(writing, /was removed while it was written/);
  const segment = await writer.writeSegment(id, { chunks: () => [Buffer.of(1)], blocks: () => [block] });
  await other.removeConnections([id]);
  const manifest = { revision: 1, indexed: 1, segments: [segment] };
  assert.equal(await writer.commit(id, manifest, null), false);
  assert.deepEqual(await writer.connectionIds(), []);
});

test("OPS-8: a segment that takes long to write is not taken for one that was given up", async (t) => {
  const { database, writer, other } = await setUp(t);
  const id = await someConnection(database);
  const rows = Array.from({ length: 5 }, () => Buffer.alloc(1024 * 1024));
  const segment = await writer.writeSegment(id, {
    chunks: () => [Buffer.of(1)],
    async *blocks() {
      await makeOlder(database, 2 * hour);
      yield { term: Buffer.from("comet"), part: 0, postings: Buffer.of(1), rows };
      assert.equal(await other.removeDropped(hour), false);
    },
  });
  assert.equal(await writer.commit(id, { revision: 1, indexed: 1, segments: [segment] }, null), true);
});

test("OPS-4: an instance writes nothing to an index that another version has built anew", {
  skip: !onPostgres && "on SQLite another version begins a new file",
}, async (t) => {
  const { database, writer } = await setUp(t);
  const id = await someConnection(database);
  await writeTexts(database, id, { 1: "a comet" });
  await database.transaction((trx) => sql`update text_index set format = format + 1`.execute(trx));
  assert.equal(await indexerOf(database, writer).update(id, { waits: false }), false);
  assert.deepEqual(await writer.connectionIds(), []);
  await database.transaction((trx) => sql`update text_index set format = format - 1`.execute(trx));
  assert.equal(await indexerOf(database, writer).update(id, { waits: false }), true);
});

test("OPS-8: an instance leaves a connection alone that another one indexes, until that one is done or dead", {
  skip: !onPostgres && "processes that share a file do not lease",
}, async (t) => {
  const { database, writer, other } = await setUp(t);
  const id = await someConnection(database);
  await writeTexts(database, id, { 1: "a comet" });
  const indexer = indexerOf(database, writer);
  assert.equal(await other.lease(id, "other"), true);
  assert.equal(await indexer.update(id, { waits: false }), false);
  assert.deepEqual(await indexer.outdated(), [id]);
  assert.deepEqual(await writer.connectionIds(), []);
  const waiting = indexer.update(id, { waits: true });
  await other.release(id, "other");
  assert.equal(await waiting, true);
  assert.deepEqual(await indexer.outdated(), []);

  assert.equal(await other.lease(id, "dead"), true);
  await writeTexts(database, id, { 2: "a comet" });
  assert.equal(await indexer.update(id, { waits: false }), false);
  await database.transaction((trx) =>
    sql`update text_leases set leased_until = leased_until - 30000`.execute(trx),
  );
  assert.equal(await indexer.update(id, { waits: false }), true);
});
