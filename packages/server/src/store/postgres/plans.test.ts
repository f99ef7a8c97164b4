import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type pg from "pg";
import { openDatabase, openTextReader, openTextWriter } from "../database.ts";
import type { Database } from "../port.ts";
import { changesOf } from "../queries/change-feed.ts";
import { saveContents } from "../queries/graph-pages.ts";
import { searchedNodesAfter } from "../queries/page-texts.ts";
import { connectTo, newLocation, onPostgres } from "../testing/location.ts";
import { ownStatistics, type PlanKind, planKinds, runPlan, statementsOf } from "../testing/plans.ts";
import { nodeId, someConnection } from "../testing/scratch.ts";

/** Nodes of the connection that is read, and as many removed ones. A revision has 100 of each. */
const nodes = 10_000;

/** Changes that a query asks for, and the most rows that it may read for them: each node, and two look-ups of its text. */
const limit = 10;
const mostRead = 3 * limit;

/** The statistics that the planner has when the connection is read. Each writes its nodes by `fill`. */
const statistics: Readonly<Record<string, (tables: Tables) => Promise<void>>> = {
  none: ({ fill }) => fill(nodes),
  "of empty tables": async ({ fill, empty, analyze }) => {
    await fill(nodes);
    await empty();
    await analyze();
    await fill(nodes);
  },
  "of other workspaces": async ({ fillOthers, analyze, fill }) => {
    await fillOthers(2, nodes / 2);
    await analyze();
    await fill(nodes);
  },
  "of many small workspaces": async ({ fillOthers, analyze, fill }) => {
    await fillOthers(100, 100);
    await analyze();
    await fill(nodes);
  },
  "of what the workspace was": async ({ fillOthers, fill, analyze }) => {
    await fillOthers(2, nodes / 2);
    await fill(nodes / 10);
    await analyze();
    await fill(nodes);
  },
  "of everything": async ({ fillOthers, fill, analyze }) => {
    await fillOthers(2, nodes / 2);
    await fill(nodes);
    await analyze();
  },
};

for (const [covered, prepare] of Object.entries(statistics)) {
  test(`OPS-8: with statistics ${covered}, changes are read in order, and nodes are looked up by their key`, {
    skip: !onPostgres,
  }, async (t) => {
    const { database, tables, id } = await newTables(t);
    await prepare(tables);
    const wanted = { from: { revision: 3, nodeId: null }, upTo: nodes, since: 3, seen: 3, limit };
    const position = { revision: 3, key: new Uint8Array() };
    const reads = [
      () => changesOf(database.read, id, wanted),
      () => searchedNodesAfter(database.read, id, position, limit),
    ];
    for (const read of reads) {
      for (const plan of planKinds) {
        const rows = await tables.rowsRead(plan, read);
        assert.ok(rows >= limit && rows <= mostRead, `a ${plan} plan read ${rows} rows`);
      }
    }
    const text = { markdown: "Text", references: [], state: "ready" } as const;
    const texts = new Map([1, 2, 3, 4].map((number) => [nodeId(number), text]));
    const save = () => database.transaction((trx) => saveContents(trx, id, texts));
    assert.match(await tables.plansOf(save), /nodes_key/);
  });
}

/** Blocks of each segment of the text index. Every tenth is followed by nine further parts of its term. */
const blocks = 5_000;

/** Requests that a statement answers at once, and the most rows that it may read for each: a part below the terms, and its blocks. */
const requests = 50;
const blocksAtATime = 8;
const mostBlocksRead = requests * (blocksAtATime + 2);

/** The statistics that the planner has when blocks are read. */
const blockStatistics: Readonly<Record<string, (tables: Tables) => Promise<void>>> = {
  none: async ({ fillBlocks }) => {
    await fillBlocks(1, 3);
  },
  "of empty tables": async ({ analyze, fillBlocks }) => {
    await analyze();
    await fillBlocks(1, 3);
  },
  "of other segments": async ({ analyze, fillBlocks }) => {
    await fillBlocks(4, 9);
    await analyze();
    await fillBlocks(1, 3);
  },
  "of everything": async ({ analyze, fillBlocks }) => {
    await fillBlocks(1, 3);
    await analyze();
  },
};

for (const [covered, prepare] of Object.entries(blockStatistics)) {
  test(`OPS-8: with statistics ${covered}, blocks of the text index are read from their key on`, {
    skip: !onPostgres,
  }, async (t) => {
    const { location, tables } = await newTables(t);
    await (await openTextWriter(location, new Uint8Array(16), () => {})).close();
    await prepare(tables);
    const reader = await openTextReader(location);
    assert.ok(reader !== null);
    t.after(() => reader.close());
    const keys = Array.from({ length: requests }, (_, number) => ({
      segment: 1 + (number % 3),
      term: termAt(1 + number * 90.5),
    }));
    const ranges = keys.map(({ segment, term }) => ({
      segment,
      from: term,
      after: term,
      to: termAt(blocks),
      before: termAt(blocks),
      limit: blocksAtATime,
    }));
    const reads = [
      () => reader.snapshot(async (view) => (await view.lookup(keys)).length),
      () => reader.snapshot(async (view) => (await view.ranges(ranges)).flat().length / blocksAtATime),
      () => reader.snapshot(async (view) => (await view.covering(ranges)).flat().length / blocksAtATime),
    ];
    for (const read of reads) {
      assert.equal(await read(), requests);
      for (const plan of planKinds) {
        const rows = await tables.rowsRead(plan, read);
        assert.ok(rows >= requests && rows <= mostBlocksRead, `a ${plan} plan read ${rows} rows`);
      }
    }
  });
}

/** The term of a block; between two blocks if the number is no integer. */
const termAt = (number: number) => {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setUint32(0, Math.floor(number));
  bytes[4] = number % 1 === 0 ? 0 : 1;
  return bytes;
};

type Tables = Awaited<ReturnType<typeof newTables>>["tables"];

/** A new database with an empty connection, of which statistics are made only by `analyze`. */
async function newTables(t: TestContext) {
  const { location, url, remove } = await newLocation({ isEmpty: true });
  const database = await openDatabase({ location });
  const client = await connectTo(url);
  t.after(async () => {
    await client.end();
    await database.close();
    await remove();
  });
  await ownStatistics(client);
  const id = await someConnection(database);
  return { location, database, tables: tablesOf(t, database, client, id), id };
}

function tablesOf(t: TestContext, database: Database, client: pg.Client, id: number) {
  /** Adds nodes, texts and removed nodes until a connection has `count` of each. */
  async function fill(count: number, connectionId = id): Promise<void> {
    const values = `select ${connectionId} as connection_id, decode(lpad(to_hex(n), 32, '0'), 'hex') as id, n / 100 as revision
      from generate_series(1, ${count}) as n`;
    await client.query(`
      insert into nodes (connection_id, id, type, title, created_at, updated_at, properties, content_state, added_revision,
        changed_revision) select connection_id, id, 'page', 'A title', 1, 1, '{}', 'ready', revision, revision from (${values}) as new
        on conflict do nothing;
      insert into contents (connection_id, node_id, markdown, total_chars, digest, updated_at)
        select connection_id, id, 'A text', 6, '', 1 from (${values}) as new on conflict do nothing;
      insert into tombstones (connection_id, node_id, added_revision, revision, removed_at)
        select connection_id, id, 0, revision, 1 from (${values}) as new on conflict do nothing`);
  }

  /** Adds the blocks of segments. */
  async function fillBlocks(first: number, last: number): Promise<void> {
    await client.query(`
      insert into text_blocks (segment_id, term, part, postings)
      select segment, decode(rpad(lpad(to_hex(n), 8, '0'), 16, '0'), 'hex'), part, 'postings'
      from generate_series(${first}, ${last}) as segment, generate_series(0, ${blocks}) as n,
        generate_series(0, case when n % 10 = 0 then 9 else 0 end) as part`);
  }

  /** The one statement of `work` that is about nodes or blocks of the text index. */
  async function statementOf(work: () => Promise<unknown>) {
    const [statement, ...others] = await statementsOf(t, ["nodes", "text_blocks"], work);
    assert.ok(statement !== undefined && others.length === 0);
    return statement;
  }

  return {
    fill,
    fillBlocks,
    async fillOthers(connections: number, count: number): Promise<void> {
      for (let number = 0; number < connections; number += 1)
        await fill(count, await someConnection(database));
    },
    empty: () => client.query("delete from nodes; delete from tombstones"),
    analyze: () => client.query("analyze"),
    /** The plans of the statements of `work` that read or update nodes. */
    async plansOf(work: () => Promise<unknown>): Promise<string> {
      const plans = [];
      for (const { text, values } of await statementsOf(t, ["nodes"], work))
        plans.push(await client.query({ text: `explain (format json) ${text}`, values: [...values] }));
      return JSON.stringify(plans.map(({ rows }) => rows));
    },
    /** Rows of tables that the statement of `work` reads with a plan of the kind. */
    async rowsRead(kind: PlanKind, work: () => Promise<unknown>): Promise<number> {
      return (await runPlan(client, await statementOf(work), kind)).rows;
    },
  };
}
