import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../database.ts";
import { storedBytesOf } from "../../queries/connections.ts";
import { beginCrawl } from "../../queries/crawl-checkpoints.ts";
import { removeNodes } from "../../queries/graph-pages.ts";
import { nodeKey } from "../../queries/statements.ts";
import { readGraph } from "../../testing/read-graph.ts";
import { nodeId, referenceTo, scratchFolder, someEarlierConnection } from "../../testing/scratch.ts";
import { glossary } from "./0011-glossary.ts";
import { released } from "./released.ts";

test("OPS-4: data of the version before is kept under the new names", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const before = await openDatabase({
    location: { kind: "sqlite", path },
    migrations: released.slice(0, glossary.version - 1),
  });
  const id = await someEarlierConnection(before);
  await before.transaction(async (trx) => {
    for (const number of [1, 2])
      await sql`insert into nodes
        (connection_id, id, type, title, created_at, updated_at, content_state, run, properties, hangs_in)
        values (${id}, ${nodeKey(nodeId(number))}, 'page', 'Page', 1, 1, 'empty', 1, '{}', ${nodeKey(nodeId(9))})`.execute(
        trx,
      );
    await sql`insert into threads (connection_id, from_id, source, position, type, target_id, name, count)
      values (${id}, ${nodeKey(nodeId(1))}, 'text', 0, 'link', ${nodeKey(nodeId(2))}, null, 1)`.execute(trx);
    await sql`insert into blocks (connection_id, id, hangs_in)
      values (${id}, ${nodeKey(nodeId(9))}, ${nodeKey(nodeId(1))})`.execute(trx);
    await sql`insert into listings (connection_id, sync_started_at, first_run, begun_at, previous_at, is_done)
      values (${id}, 5, 3, 7, 6, 0)`.execute(trx);
  });
  const bytes = await storedBytesOf(before.read, id);
  await before.close();

  const database = await openDatabase({ location: { kind: "sqlite", path }, backUp: false });
  t.after(() => database.close());
  const { read } = database;
  const { references } = await readGraph(read, id);
  assert.deepEqual(references, [{ from: nodeId(1), reference: referenceTo(2) }]);
  const nodes = await read.selectFrom("nodes").select("container_id").execute();
  assert.deepEqual(
    nodes.map(({ container_id }) => new Uint8Array(container_id ?? [])),
    [1, 2].map(() => new Uint8Array(nodeKey(nodeId(9)))),
  );
  assert.equal((await read.selectFrom("blocks").selectAll().execute()).length, 1);
  assert.equal(await database.transaction((trx) => beginCrawl(trx, id, 5)), 6);

  assert.equal(await storedBytesOf(read, id), bytes);
  await database.transaction((trx) => removeNodes(trx, id, [nodeId(1), nodeId(2)], 1));
  assert.equal(
    await storedBytesOf(read, id),
    0,
    "references go with their node, and are not counted any more",
  );
});
