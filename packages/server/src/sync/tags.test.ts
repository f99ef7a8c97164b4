import "../store/testing/repeat-transactions.ts";
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { type TestContext, test } from "node:test";
import { type Files, testProvider, writeFolder } from "@clew/folder/testing";
import { setTags } from "../store/queries/connections.ts";
import { newLocation } from "../store/testing/location.ts";
import { readGraph } from "../store/testing/read-graph.ts";
import { storedGraph } from "./testing/stored-graph.ts";
import { openSyncing } from "./testing/syncing.ts";

const vault: Files = {
  ".obsidian/app.json": "{}",
  "a.md": "---\ntags: [Recipe]\n---\n#recipe #recipe/soup [[b]]",
  "b.md": "#RECIPE and #solo",
  "rows/_database.yml": "properties: {Kind: {type: select}}",
  "rows/one.md": "---\nKind: x\ntags: solo\n---\n",
};

async function openVault(t: TestContext) {
  const directory = await writeFolder(t, vault);
  const { provider, thread } = testProvider(directory);
  const { location, remove } = await newLocation();
  const syncing = await openSyncing({ location, provider });
  t.after(async () => {
    await syncing.close();
    await thread.close();
    await remove();
  });
  const { id } = await syncing.connectWithToken("owner", "folder notes");
  const { database } = syncing;
  return {
    directory,
    database,
    id,
    tags: (tags: boolean) => database.transaction((trx) => setTags(trx, id, tags)),
    sync: async (wish = {}) => (await syncing.run(id, wish)).report,
    stored: () => storedGraph(database, id),
    graph: () => graphOf(database, id),
    /** Has the folder scanned, as its watch does. */
    async scan() {
      for await (const _ of provider.reader("folder notes").search({ few: true })) break;
    },
  };
}

/** Nodes as `type title < parent`, and mentions of tags as `page ×count tag`. */
async function graphOf({ read }: Awaited<ReturnType<typeof openSyncing>>["database"], id: number) {
  const { nodes, references } = await readGraph(read, id);
  const named = new Map(nodes.map((node) => [node.id, node]));
  const titleOf = (of: string | null) => (of === null ? "" : ` < ${named.get(of)?.title}`);
  return {
    nodes: nodes.map(({ type, title, parentId }) => `${type} ${title}${titleOf(parentId)}`).sort(),
    tagged: references
      .filter(({ reference }) => named.get(reference.targetId)?.type === "tag")
      .map(({ from, reference: { type, targetId, count } }) => {
        return `${named.get(from)?.title} -${type}×${count}-> ${named.get(targetId)?.title}`;
      })
      .sort(),
  };
}

const pages = ["database rows", "page a", "page b", "page one < rows"];
const tagNodes = ["tag Recipe", "tag Recipe/soup < Recipe", "tag solo"].map((tag) =>
  tag.replace("Recipe/soup", "recipe/soup"),
);
const tagged = [
  "a -mention×1-> recipe/soup",
  "a -mention×2-> Recipe",
  "b -mention×1-> Recipe",
  "b -mention×1-> solo",
  "one -mention×1-> solo",
];

test("SRC-4: tags are nodes that pages mention while they are asked for, and leave the graph as it was", async (t) => {
  const { sync, stored, graph, tags, database, id } = await openVault(t);
  await sync();
  assert.deepEqual(await graph(), { nodes: pages, tagged: [] });
  const before = await stored();

  await tags(true);
  assert.equal((await sync()).outcome, "complete");
  assert.deepEqual(await graph(), { nodes: [...pages, ...tagNodes], tagged });
  const { texts } = await stored();
  assert.deepEqual(
    texts.filter(({ markdown }) => markdown !== "").length,
    before.texts.filter(({ markdown }) => markdown !== "").length,
  );
  const revision = (await readGraph(database.read, id)).revision;
  await sync();
  assert.equal(
    (await readGraph(database.read, id)).revision,
    revision,
    "a sync that finds nothing changes nothing",
  );
  await sync({ full: true });
  assert.deepEqual((await graph()).tagged, tagged);

  await tags(false);
  const { outcome, removed } = await sync();
  assert.deepEqual([outcome, removed], ["complete", tagNodes.length]);
  assert.deepEqual(await stored(), before);
  const tombstones = await database.read
    .selectFrom("tombstones")
    .selectAll()
    .where("connection_id", "=", id)
    .execute();
  assert.equal(tombstones.length, tagNodes.length, "the changes feed tells that they are gone");
});

test("SRC-4: a first sync with tags has the graph of one that came to them", async (t) => {
  const { sync, graph, tags } = await openVault(t);
  await tags(true);
  await sync();
  assert.deepEqual(await graph(), { nodes: [...pages, ...tagNodes], tagged });
});

test("SRC-4: tags come and go with the edits of pages that a watch names", async (t) => {
  const { sync, scan, graph, tags, directory, database, id } = await openVault(t);
  await tags(true);
  await sync();
  const { nodes } = await readGraph(database.read, id);
  const named = (...titles: string[]) =>
    nodes.flatMap((node) => (titles.includes(node.title) ? [{ of: node.type, id: node.id }] : []));
  await writeFile(path.join(directory, "b.md"), "#new/one");
  await scan();
  await sync({ by: "watch", only: named("b") });
  const { nodes: after, tagged: mentions } = await graph();
  assert.ok(after.includes("tag new") && after.includes("tag new/one < new"), after.join());
  assert.ok(mentions.includes("b -mention×1-> new/one"));

  await rm(path.join(directory, "rows/one.md"));
  await scan();
  await sync({ by: "watch", only: named("one", "solo") });
  assert.ok(!(await graph()).nodes.some((node) => node.includes("solo")));
  // A tag that was found by a page that mentions it is missed by the next list.
  await writeFile(path.join(directory, "b.md"), "none");
  await sync();
  assert.ok(!(await graph()).nodes.some((node) => node.includes("new")));
});
