import assert from "node:assert/strict";
import { test } from "node:test";
import type { Column } from "@clew/provider";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";
import {
  collectionsOf,
  columnsOfDatabase,
  forgetCollection,
  recordRowsListed,
  upsertCollections,
} from "./containers.ts";
import { upsertNodes } from "./graph-pages.ts";

const column = (name: string, type: Column["type"], ...options: string[]): Column => ({
  name,
  type,
  options,
});

test("GRAPH-23: the columns of a database are those of all its data sources", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const of = (number: number) => columnsOfDatabase(database.read, id, nodeId(number));
  const store = (columns: readonly (readonly Column[] | null)[]) =>
    database.transaction((trx) => {
      const sources = columns.map((all, at) => ({
        id: nodeId(50 + at),
        databaseId: nodeId(1),
        columns: all,
      }));
      return upsertCollections(trx, id, sources);
    });
  await database.transaction((trx) => upsertNodes(trx, id, [page(1), page(2)]));
  await store([null]);
  assert.equal(await of(1), null);
  const first = [column("Name", "title"), column("State", "select", "b", "a"), column("Due", "date")];
  await store([first, null]);
  assert.deepEqual(await of(1), first);
  await store([
    null,
    [column("Due", "text"), column("State", "select", "c", "a"), column("Done", "checkbox")],
  ]);
  assert.deepEqual(await of(1), [
    column("Name", "title"),
    column("State", "select", "b", "a", "c"),
    column("Due", "text"),
    column("Done", "checkbox"),
  ]);
  assert.equal(await of(2), null);
  const sources = await collectionsOf(database.read, id);
  assert.deepEqual(
    sources.map(({ hasColumns }) => hasColumns),
    [true, true],
  );
});

test("GRAPH-23: the columns of a database come in the order of the ids of its data sources", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  const store = (connection: number, source: number, owner: number, name: string) =>
    database.transaction(async (trx) => {
      await upsertNodes(trx, connection, [page(1), page(2)]);
      const columns = [column(name, "text")];
      await upsertCollections(trx, connection, [{ id: nodeId(source), databaseId: nodeId(owner), columns }]);
    });
  await store(id, 52, 1, "Third");
  await store(id, 50, 1, "First");
  await store(id, 51, 1, "Second");
  await store(id, 53, 2, "Of another database");
  await store(other, 50, 1, "Of another connection");
  const columns = await columnsOfDatabase(database.read, id, nodeId(1));
  assert.deepEqual(
    columns?.map(({ name }) => name),
    ["First", "Second", "Third"],
  );
});

test("SYNC-3: when rows were listed is known by collection, until it is forgotten", async (t) => {
  const { database } = await scratchDatabase(t);
  const [id, other] = [await someConnection(database), await someConnection(database)];
  for (const connection of [id, other])
    await database.transaction(async (trx) => {
      await upsertNodes(trx, connection, [page(1)]);
      const sources = [50, 51].map((number) => ({
        id: nodeId(number),
        databaseId: nodeId(1),
        columns: null,
      }));
      await upsertCollections(trx, connection, sources);
    });
  await database.transaction((trx) => recordRowsListed(trx, id, nodeId(50), 7));
  const listed = async (connection: number) =>
    (await collectionsOf(database.read, connection)).map((one) => [one.id, one.listedAt]);
  assert.deepEqual(
    new Map((await listed(id)) as [string, number | null][]),
    new Map([
      [nodeId(50), 7],
      [nodeId(51), null],
    ]),
  );
  await database.transaction((trx) => forgetCollection(trx, id, nodeId(50)));
  assert.deepEqual(await listed(id), [[nodeId(51), null]]);
  assert.equal((await listed(other)).length, 2);
});

test("GRAPH-27: other columns are a change of the database's properties, the first ones are none", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  await database.transaction((trx) => upsertNodes(trx, id, [page(1)]));
  const stamps = async (columns: readonly Column[] | null) => {
    const source = { id: nodeId(50), databaseId: nodeId(1), columns };
    await database.transaction((trx) => upsertCollections(trx, id, [source]));
    const { revision } = await database.read
      .selectFrom("connections")
      .select("revision")
      .executeTakeFirstOrThrow();
    const node = database.read.selectFrom("nodes").select(["properties_revision", "changed_revision"]);
    return { revision, ...(await node.executeTakeFirstOrThrow()) };
  };
  const before = { revision: 1, properties_revision: 0, changed_revision: 1 };
  assert.deepEqual(await stamps(null), before);
  assert.deepEqual(await stamps([column("Name", "title")]), before);
  assert.deepEqual(await stamps([column("Name", "title")]), before);
  assert.deepEqual(await stamps(null), before);
  const after = { revision: 2, properties_revision: 2, changed_revision: 2 };
  assert.deepEqual(await stamps([column("Name", "title"), column("Due", "date")]), after);
});
