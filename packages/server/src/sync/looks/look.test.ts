import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ListedNode, ProviderError, type SearchEntry } from "@clew/provider";
import { upsertCollections } from "../../store/queries/containers.ts";
import { upsertNodes } from "../../store/queries/graph-pages.ts";
import { nodeId, page, scratchDatabase, someConnection } from "../../store/testing/scratch.ts";
import { look } from "./look.ts";

type Some = ListedNode["collections"][number];

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
  const asked: unknown[] = [];
  const trash: ListedNode[] = [];
  const lookAt = (entries: Iterable<SearchEntry>, time = () => now) =>
    look(now, {
      connectionId,
      database,
      reader: {
        time,
        async *search(options) {
          asked.push(options);
          yield* entries;
        },
        ...(trash.length > 0 && {
          async *trashed() {
            yield* trash;
          },
        }),
        // As Notion, which shows a database by one of its data sources.
        missingFacts: ({ type }, ids) => (type === "database" && ids.size > 1 ? "all" : "none"),
      },
    });
  return { database, connectionId, lookAt, asked, trash };
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

test("SYNC-11: a look asks for few entries at a time, and needs no list of the trash", async (t) => {
  const { lookAt, asked } = await stored(t);
  for (let minutes = 0; minutes < 5; minutes += 1)
    assert.equal((await lookAt([listed(1)], () => now + minutes * 60_000)).news, "");
  assert.deepEqual(asked, Array(5).fill({ few: true }));
});

test("SYNC-11: of what is in the trash, a look reads stored pages and databases, once in five minutes", async (t) => {
  const { lookAt, trash } = await stored(t);
  trash.push(listed(1, { inTrash: true }), listed(2, { type: "database", inTrash: true }));
  trash.push(listed(9, { inTrash: true }), listed(3));
  const news: string[] = [];
  for (let minutes = 0; minutes < 10; minutes += 1)
    news.push((await lookAt([listed(1)], () => now + minutes * 60_000)).news);
  const gone = `${nodeId(1)} ${now},${nodeId(2)} ${now}`;
  assert.deepEqual(
    news.filter((each) => each !== ""),
    [gone, gone],
  );
});

test("SYNC-11: a data source in the trash is no news of its database while another one is left", async (t) => {
  const { lookAt, trash, database, connectionId } = await stored(t);
  const [left, other] = [11, 12].map((number) => ({ id: nodeId(number), columns: null })) as [Some, Some];
  await database.transaction((trx) =>
    upsertCollections(trx, connectionId, [{ ...left, databaseId: nodeId(2) }]),
  );
  const inTrash = (collection: Some) =>
    listed(2, { type: "database", inTrash: true, collections: [collection] });
  const news = async () => {
    const found: string[] = [];
    for (let minutes = 0; minutes < 5; minutes += 1)
      found.push((await lookAt([listed(1)], () => now + minutes * 60_000)).news);
    return found.join("");
  };
  trash.push(inTrash(other));
  assert.equal(await news(), "");
  trash.push(inTrash(left));
  assert.equal(await news(), [1, 2].map(() => `${nodeId(2)} ${now}`).join());
});

test("SYNC-11: a look at an empty list has its time, and one that shows an entry that cannot be read misses it", async (t) => {
  const { lookAt } = await stored(t);
  assert.deepEqual(await lookAt([]), { news: "", misses: false, at: now });
  const error = new ProviderError("malformed", "it has no title");
  const unreadable = { type: "unreadable", of: "page", id: nodeId(1), error } as const;
  assert.deepEqual(await lookAt([unreadable, listed(1)]), { news: "", misses: true, at: now });
  assert.equal((await lookAt([listed(1)])).misses, false);
});

test("SYNC-11: a look is as of its first answer, however long it reads on", async (t) => {
  const { lookAt } = await stored(t);
  let time = now;
  function* slow() {
    for (let answer = 0; answer < 3; answer += 1) {
      yield listed(1);
      time += 1_000;
    }
  }
  assert.deepEqual(await lookAt(slow(), () => time), { news: "", misses: false, at: now });
});

test("SYNC-11: a look reads on until it is two minutes before what is known", async (t) => {
  const { lookAt } = await stored(t);
  const first = Array.from({ length: 10 }, () => listed(1));
  const news = async (ago: number) =>
    (await lookAt([...first, listed(3, { updatedAt: now - ago }), listed(9)])).news;
  const twoMinutes = 2 * 60_000;
  assert.equal(await news(twoMinutes), `${nodeId(3)} ${now - twoMinutes},${nodeId(9)} ${now}`);
  assert.equal(await news(twoMinutes + 1), "");
});

test("SYNC-11: of the first ten entries, a look finds what is not stored, however long ago it was edited", async (t) => {
  const { database, connectionId, lookAt } = await stored(t);
  const hourAgo = { updatedAt: now - 60 * 60_000 };
  const news = async (...entries: SearchEntry[]) => (await lookAt(entries)).news;
  assert.equal(await news(listed(1), listed(9, hourAgo)), `${nodeId(9)} ${hourAgo.updatedAt}`);
  assert.equal(await news(listed(1, hourAgo)), `${nodeId(1)} ${hourAgo.updatedAt}`);
  const first = Array.from({ length: 10 }, () => listed(1));
  assert.equal(await news(...first, listed(9, hourAgo)), "");
  await database.transaction(async (trx) => {
    await upsertNodes(trx, connectionId, [page(1, hourAgo)]);
    await trx.updateTable("nodes").set({ content_state: "failed" }).execute();
  });
  assert.equal(await news(listed(1, hourAgo)), "", "it failed before");
  const collections = [11, 12].map((number) => ({ id: nodeId(number), columns: null }));
  assert.equal(await news(listed(2, { ...hourAgo, type: "database", collections })), "");
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
  assert.equal((await lookAt([listed(1), shown])).news, `${nodeId(2)} ${now}`, "beside a page");
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
