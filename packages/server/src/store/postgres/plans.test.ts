import assert from "node:assert/strict";
import { test } from "node:test";
import { CompiledQuery } from "kysely";
import pg from "pg";
import { changesOf } from "../queries/change-feed.ts";
import { saveContents, upsertNodes } from "../queries/graph-pages.ts";
import { searchedNodesAfter } from "../queries/page-texts.ts";
import { onPostgres } from "../testing/location.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../testing/scratch.ts";

test("OPS-8: nodes that no statistics cover are looked up by their key, and changes in their order", {
  skip: !onPostgres,
}, async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  for (let batch = 0; batch < 10; batch += 1) {
    const pages = Array.from({ length: 100 }, (_, number) => page(batch * 100 + number));
    await database.transaction((trx) => upsertNodes(trx, id, pages, 1));
  }
  /** The plans of the statements of `work` that read or update nodes. */
  const plansOf = async (work: () => Promise<unknown>) => {
    const { mock } = t.mock.method(pg.Client.prototype, "query");
    await work();
    mock.restore();
    const plans: string[] = [];
    for (const { arguments: given } of mock.calls) {
      const { text = "", values = [] } = given[0] as unknown as pg.QueryConfig;
      if (!/\b(from|update) "?nodes"?\s/.test(text)) continue;
      const { rows } = await database.read.executeQuery(CompiledQuery.raw(`explain ${text}`, values));
      plans.push(JSON.stringify(rows));
    }
    assert.ok(plans.length > 0);
    return plans;
  };
  const text = { markdown: "Text", references: [], state: "ready" } as const;
  const texts = new Map([1, 2, 3, 4].map((number) => [nodeId(number), text]));
  for (const plan of await plansOf(() => database.transaction((trx) => saveContents(trx, id, texts))))
    assert.match(plan, /nodes_key/);
  const wanted = { from: { revision: 3, nodeId: null }, upTo: 99, since: 3, seen: 3, limit: 10 };
  const position = { revision: 3, key: new Uint8Array() };
  const inOrder = [
    ...(await plansOf(() => changesOf(database.read, id, wanted))),
    ...(await plansOf(() => searchedNodesAfter(database.read, id, position, 10))),
  ];
  for (const plan of inOrder) assert.match(plan, /nodes_by_change/);
});
