import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { ListedNode, SearchEntry } from "@clew/provider";
import { upsertCollections } from "../../store/queries/containers.ts";
import { upsertNodes } from "../../store/queries/graph-pages.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../../store/testing/scratch.ts";
import { look } from "./look.ts";

const now = Date.UTC(2031, 2, 4, 9, 30);

/** A node as a list shows it, that was edited now. */
const listed = (number: number, given: Partial<ListedNode> = {}): ListedNode => ({
  id: nodeId(number),
  type: "page",
  title: `Page ${number}`,
  aliases: [],
  icon: null,
  url: null,
  parent: { kind: "workspace" },
  createdAt: 1,
  updatedAt: now,
  inTrash: false,
  properties: {},
  references: [],
  mentioned: [],
  partial: { cut: [], unread: [], repeated: [] },
  unsupported: [],
  collections: [],
  ...given,
});

/** A connection whose nodes 1 and 2, a page and a database, are stored as they were edited now, and a look at what is listed. */
async function stored(t: TestContext) {
  const { database } = await scratchDatabase(t);
  const connectionId = await someConnection(database);
  const edited = { updatedAt: now };
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, [
      page(1, edited),
      page(2, { ...edited, type: "database" }),
      page(3),
    ]);
    await trx.updateTable("nodes").set({ content_state: "ready" }).execute();
  });
  const lookAt = (entries: readonly SearchEntry[]) =>
    look(now, {
      connectionId,
      database,
      reader: {
        time: () => now,
        async *search() {
          yield* entries;
        },
        // As Notion, which shows a database by one of its data sources.
        missingFacts: ({ type }, ids) => (type === "database" && ids.size > 1 ? "all" : "none"),
      },
    });
  return { database, connectionId, lookAt };
}

test("SYNC-11: a look finds a page that is new, edited, or stored without its text, and no other", async (t) => {
  const { database, lookAt } = await stored(t);
  assert.deepEqual(await lookAt([listed(1)]), { news: "", misses: false, at: now });
  const news = async (entry: ListedNode) => (await lookAt([entry])).news;
  assert.equal(await news(listed(9)), `${nodeId(9)} ${now}`);
  assert.equal(await news(listed(9, { inTrash: true })), "");
  assert.equal(await news(listed(1, { inTrash: true })), `${nodeId(1)} ${now}`);
  assert.equal(await news(listed(1, { updatedAt: now + 1 })), `${nodeId(1)} ${now + 1}`);
  for (const content_state of ["pending", "failed"] as const) {
    await database.transaction((trx) => trx.updateTable("nodes").set({ content_state }).execute());
    assert.equal(await news(listed(1)), `${nodeId(1)} ${now}`);
  }
});

test("SYNC-11: a look reads until it is two minutes before what is known", async (t) => {
  const { lookAt } = await stored(t);
  const news = async (ago: number) => (await lookAt([listed(3, { updatedAt: now - ago }), listed(9)])).news;
  const twoMinutes = 2 * 60_000;
  assert.equal(await news(twoMinutes), `${nodeId(3)} ${now - twoMinutes},${nodeId(9)} ${now}`);
  assert.equal(await news(twoMinutes + 1), "");
});

test("SYNC-11: a database with several collections is read, since a list shows the time of one of them", async (t) => {
  const { database, connectionId, lookAt } = await stored(t);
  const [collection, other] = [nodeId(11), nodeId(12)];
  const collections = [{ id: collection, columns: [] }];
  const shown = listed(2, { type: "database", collections });
  const keep = (id: string, databaseId: string) =>
    database.transaction((trx) => upsertCollections(trx, connectionId, [{ id, databaseId, columns: null }]));
  await keep(collection, nodeId(2));
  await keep(nodeId(13), nodeId(3));
  assert.equal((await lookAt([shown])).news, "", "it has one");
  await keep(other, nodeId(2));
  assert.equal((await lookAt([shown])).news, `${nodeId(2)} ${now}`, "another is stored");
  assert.equal((await lookAt([listed(1, { collections }), listed(1)])).news, "", "a page has none");
});

test("SYNC-11: a look reads a thousand entries at most, and says then that there may be more", async (t) => {
  const { lookAt } = await stored(t);
  const many = (count: number) => Array.from({ length: count }, () => listed(1));
  assert.deepEqual(await lookAt(many(999)), { news: "", misses: false, at: now });
  assert.deepEqual(await lookAt(many(1_000)), { news: "", misses: true, at: now });
  assert.equal((await lookAt([...many(1_000), listed(9)])).news, "");
  assert.equal((await lookAt([...many(998), listed(9)])).news, `${nodeId(9)} ${now}`);
});
