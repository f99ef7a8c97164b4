import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../../database.ts";
import { nodeKey } from "../../queries/statements.ts";
import { readGraph } from "../../testing/read-graph.ts";
import { nodeId, scratchFolder, someEarlierConnection } from "../../testing/scratch.ts";
import { names } from "./0006-names.ts";
import { released } from "./released.ts";

test("GRAPH-4: long titles that an earlier program stored are cut, and nothing else is", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const before = await openDatabase({
    location: { kind: "sqlite", path },
    migrations: released.slice(0, names.version - 1),
  });
  const id = await someEarlierConnection(before);
  const titles = ["🧵".repeat(190_000), "🧵".repeat(2000), "short"];
  for (const [number, title] of titles.entries())
    await before.transaction((trx) =>
      sql`insert into nodes
        (connection_id, id, type, title, created_at, updated_at, content_state, run, properties)
        values (${id}, ${nodeKey(nodeId(number))}, 'page', ${title}, 1, 1, 'empty', 1, '{}')`.execute(trx),
    );
  await before.close();

  const database = await openDatabase({ location: { kind: "sqlite", path }, backUp: false });
  t.after(() => database.close());
  const { nodes } = await readGraph(database.read, id);
  assert.deepEqual(
    nodes.map(({ title }) => title),
    [`${"🧵".repeat(1999)}…`, "🧵".repeat(2000), "short"],
  );
});
