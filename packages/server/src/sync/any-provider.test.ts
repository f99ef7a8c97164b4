import "../store/testing/repeat-transactions.ts";
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { openFolder } from "@clew/folder/testing";
import type { NodeId } from "@clew/graph";
import { openNotion } from "@clew/notion/testing";
import type { ListedNode, Provider, SearchEntry } from "@clew/provider";
import {
  type Behavior,
  type OpenProvider,
  type ProviderUnderTest,
  sample,
  whyNever,
} from "@clew/provider-contract";
import { newLocation } from "../store/testing/location.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { openSyncing } from "./testing/syncing.ts";

/** The providers that Clew has. What each does by itself is tested in its package, by the same contract. */
const providers: Readonly<Record<string, OpenProvider>> = { Notion: openNotion, "a folder": openFolder };

/** A sync service over the sample, before its first sync. */
async function setUp(t: TestContext, open: OpenProvider, changed = (provider: Provider) => provider) {
  const under = await open(sample);
  const { location, remove } = await newLocation();
  const syncing = await openSyncing({ location, provider: changed(under.provider) });
  t.after(async () => {
    await syncing.close();
    await under.close();
    await remove();
  });
  const { id } = await syncing.connectWithToken("a person", under.accessToken);
  const sync = async () => (await syncing.run(id, { full: true })).report;
  return { under, sync, graph: () => graphOf(syncing.database, id) };
}

/** Titles, and edges as `from -type-> to`; ids of what has no node are left out. */
async function graphOf({ read }: Awaited<ReturnType<typeof openSyncing>>["database"], id: number) {
  const { nodes, references } = await readGraph(read, id);
  const titles = new Map(nodes.map((node) => [node.id, node.title]));
  const inside = nodes.flatMap(({ title, parentId }) =>
    parentId === null ? [] : [`${titles.get(parentId)} -child-> ${title}`],
  );
  const links = references.map(
    ({ from, reference }) => `${titles.get(from)} -> ${titles.get(reference.targetId)}`,
  );
  return { titles: [...titles.values()].sort(), edges: [...inside, ...links].sort() };
}

/** The graph of the sample. */
const first = {
  titles: ["Glossary", "Handbook", "Journal", "Mars", "Planets", "Venus"],
  edges: [
    "Glossary -> Handbook",
    "Glossary -> Journal",
    "Handbook -> Glossary",
    "Handbook -child-> Glossary",
    "Planets -child-> Mars",
    "Planets -child-> Venus",
  ],
};

for (const [name, open] of Object.entries(providers)) {
  test(`SYNC-1: a first sync stores every node and edge of the workspace (${name})`, async (t) => {
    const { sync, graph } = await setUp(t, open);
    const report = await sync();
    assert.equal(report.outcome, "complete", JSON.stringify(report));
    assert.deepEqual(await graph(), first);
  });

  test(`SYNC-7: later syncs follow edits and removals (${name})`, async (t) => {
    const { under, sync, graph } = await setUp(t, open);
    await sync();
    await under.rewrite("Glossary", [{ linkTo: "Handbook" }]);
    await under.remove("Journal");
    const report = await sync();
    assert.deepEqual([report.outcome, report.removed], ["complete", 1]);
    assert.deepEqual(await graph(), {
      titles: first.titles.filter((title) => title !== "Journal"),
      edges: first.edges.filter((edge) => edge !== "Glossary -> Journal"),
    });
  });

  for (const behavior of ["garbled", "down", "busy"] as const satisfies readonly Behavior[])
    test(`SYNC-5: a sync of a provider that is ${behavior} claims nothing and removes nothing (${name})`, async (t) => {
      const { under, sync, graph } = await setUp(t, open);
      if (isLeftOut(t, under, behavior)) return;
      await sync();
      await changeAndSpoil(under, behavior);
      const report = await sync();
      assert.notEqual(report.outcome, "complete");
      assert.equal(report.removed, 0);
      assert.deepEqual(await graph(), first);
      await under.behave("well");
      const whole = await sync();
      assert.deepEqual([whole.outcome, whole.removed], ["complete", 1]);
    });

  test(`SYNC-5: a page fails alone if reading it shows a fault of Clew's own (${name})`, async (t) => {
    const { sync, graph } = await setUp(t, open, withFault);
    const { outcome, error, failed } = await sync();
    assert.deepEqual([outcome, error], ["incomplete", null]);
    assert.deepEqual(
      failed.map(({ reason }) => reason),
      ["Clew could not make sense of this page"],
    );
    assert.deepEqual((await graph()).titles, first.titles);
  });

  test(`SYNC-4: a sync waits for a rate limit, and is whole (${name})`, async (t) => {
    const { under, sync, graph } = await setUp(t, open);
    if (isLeftOut(t, under, "busy once")) return;
    await under.behave("busy once");
    assert.equal((await sync()).outcome, "complete");
    assert.deepEqual(await graph(), first);
  });
}

/** A provider whose databases have one collection each, with the id of the database, and whose search lists no rows. */
function withoutCollectionIds(provider: Provider): Provider {
  const collections = new Map<string, string>();
  const shown = (node: ListedNode): ListedNode => {
    for (const { id } of node.collections) collections.set(node.id, id);
    const { parent } = node;
    const isRow = parent.kind === "collection" && parent.databaseId !== null;
    return {
      ...node,
      parent: isRow ? { ...parent, id: parent.databaseId } : parent,
      collections: node.collections.map((collection) => ({ ...collection, id: node.id })),
    };
  };
  const isNode = (entry: SearchEntry): entry is ListedNode => "parent" in entry;
  return {
    ...provider,
    reader(...grant) {
      const reader = provider.reader(...grant);
      return {
        ...reader,
        async *search(options) {
          for await (const entry of reader.search(options)) {
            if (!isNode(entry)) yield entry;
            else if (entry.parent.kind !== "collection") yield shown(entry);
          }
        },
        async *rows(id, since) {
          for await (const entry of reader.rows(collections.get(id) ?? id, since))
            yield isNode(entry) ? shown(entry) : entry;
        },
        page: async (id) => shown(await reader.page(id)),
        database: async (id) => shown(await reader.database(id)),
        databaseOf: async (id) => shown(await reader.databaseOf(collections.get(id) ?? id)),
      };
    },
  };
}

/** A provider that fails in a way of its own, and not as providers do, at the first text of each reader. */
function withFault(provider: Provider): Provider {
  return {
    ...provider,
    reader(...grant) {
      const reader = provider.reader(...grant);
      const content = reader.content.bind(reader);
      let hasFailed = false;
      return Object.assign(reader, {
        async content(id: NodeId) {
          if (hasFailed) return content(id);
          hasFailed = true;
          throw new TypeError("a fault");
        },
      });
    },
  };
}

test("SYNC-1: rows are found in a collection that has the id of its database", async (t) => {
  const { under, sync, graph } = await setUp(t, openNotion, withoutCollectionIds);
  assert.equal((await sync()).outcome, "complete");
  assert.deepEqual(await graph(), first);
  await under.remove("Journal");
  const report = await sync();
  assert.deepEqual([report.outcome, report.removed], ["complete", 1]);
  assert.deepEqual(report.found, { search: 3, rows: 2, crawl: 0 });
});

/** Leaves a test out, with the reason, if the service cannot behave like this. */
function isLeftOut(t: TestContext, under: ProviderUnderTest, behavior: Behavior): boolean {
  const reason = whyNever(under, behavior);
  if (reason !== null) t.skip(reason);
  return reason !== null;
}

async function changeAndSpoil(under: ProviderUnderTest, behavior: Behavior): Promise<void> {
  await under.remove("Journal");
  await under.behave(behavior);
}
