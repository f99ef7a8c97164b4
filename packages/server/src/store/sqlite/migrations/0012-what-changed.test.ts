import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../database.ts";
import { changesOf } from "../../queries/change-feed.ts";
import { collectionsOf } from "../../queries/containers.ts";
import { textsToLocate } from "../../queries/reference-offsets.ts";
import { nodeKey } from "../../queries/statements.ts";
import { nodeId, scratchFolder, someEarlierConnection } from "../../testing/scratch.ts";
import { whatChanged } from "./0012-what-changed.ts";
import { released } from "./released.ts";

test("OPS-4: of nodes that an earlier program stored, no change is claimed that was not seen", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const before = await openDatabase({
    location: { kind: "sqlite", path },
    migrations: released.slice(0, whatChanged.version - 1),
  });
  const id = await someEarlierConnection(before);
  await before.transaction(async (trx) => {
    await sql`insert into nodes (connection_id, id, type, title, created_at, updated_at, content_state, run, properties,
        added_revision, changed_revision)
      values (${id}, ${nodeKey(nodeId(1))}, 'page', 'Page', 1, 1, 'ready', 1, '{}', 1, 5)`.execute(trx);
    await sql`insert into contents (connection_id, node_id, updated_at, total_chars, digest, markdown)
      values (${id}, ${nodeKey(nodeId(1))}, 1, 4, 'x', 'Text')`.execute(trx);
    await sql`insert into data_sources (connection_id, id, database_id)
      values (${id}, ${nodeKey(nodeId(2))}, ${nodeKey(nodeId(1))})`.execute(trx);
  });
  await before.close();

  const database = await openDatabase({ location: { kind: "sqlite", path }, backUp: false });
  t.after(() => database.close());
  const { read } = database;
  const wanted = { from: { revision: 4, nodeId: null }, upTo: 5, since: 3, seen: 3, limit: 9 };
  const [change] = await changesOf(read, id, wanted);
  assert.deepEqual([change?.kind, change?.what], ["changed", []]);
  assert.deepEqual(await textsToLocate(read, id, 9), [nodeId(1)]);
  assert.deepEqual(
    (await collectionsOf(read, id)).map(({ hasColumns }) => hasColumns),
    [false],
  );
});
