import assert from "node:assert/strict";
import type { Case } from "../provider-under-test.ts";
import { nodesOf, nodeTitled, readerOf } from "../read.ts";
import { sample } from "../sample.ts";

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Nodes: the lists, look-ups by id, and addresses. */
export const nodeCases: readonly Case[] = [
  {
    name: "SYNC-1: the search lists each page and database, with its id, title and times",
    async run(under) {
      const nodes = await nodesOf(readerOf(under).search());
      const titles = new Set(nodes.map(({ title }) => title));
      for (const { title } of [...sample.pages, ...sample.databases])
        assert.ok(titles.has(title), `${title} is not listed`);
      for (const { id, title, createdAt, updatedAt } of nodes) {
        assert.match(id, uuid, title);
        assert.ok(createdAt > 0 && updatedAt >= createdAt, `${title} was edited before it was created`);
      }
    },
  },
  {
    name: "SYNC-11: a provider that says so lists the latest edit first, however few entries are wanted",
    async run(under) {
      if (!under.provider.sortsByEdit) return;
      await under.rewrite("Journal", ["It was edited last."]);
      const few = readerOf(under).search({ few: true });
      for (const nodes of [await nodesOf(readerOf(under).search()), await nodesOf(few)]) {
        assert.equal(nodes[0]?.title, "Journal");
        const times = nodes.map(({ updatedAt }) => updatedAt);
        assert.deepEqual(
          times,
          times.toSorted((a, b) => b - a),
          "the latest edit is not first",
        );
      }
    },
  },
  {
    name: "SYNC-1: a page says which page contains it, and a look-up by id gives what the list gave",
    async run(under) {
      const reader = readerOf(under);
      const [handbook, glossary] = [
        await nodeTitled(reader, "Handbook"),
        await nodeTitled(reader, "Glossary"),
      ];
      assert.deepEqual(handbook.parent, { kind: "workspace" });
      assert.deepEqual(glossary.parent, { kind: "node", id: handbook.id, type: "page" });
      const { title, parent, updatedAt, inTrash } = await reader.page(glossary.id);
      assert.deepEqual({ title, parent, updatedAt }, pick(glossary));
      assert.equal(inTrash, false);
    },
  },
  {
    name: "SYNC-1: a database has collections, whose rows are listed, and each row names its collection",
    async run(under) {
      const reader = readerOf(under);
      const listed = await nodeTitled(reader, "Planets");
      const database = await reader.database(listed.id);
      assert.equal(database.type, "database");
      assert.ok(database.collections.length > 0, "it has no collection");
      const found = new Set<string>();
      for (const { id } of database.collections) {
        assert.equal((await reader.databaseOf(id)).id, database.id);
        for (const row of await nodesOf(reader.rows(id, null))) {
          found.add(row.title);
          assert.ok(
            row.parent.kind === "collection" && row.parent.id === id,
            `${row.title} has another parent`,
          );
        }
      }
      assert.deepEqual([...found].sort(), ["Mars", "Venus"]);
    },
  },
  {
    name: "GRAPH-33: the addresses of a page lead to it, and another address to none",
    async run(under) {
      const reader = readerOf(under);
      const { id, url } = await nodeTitled(reader, "Glossary");
      const { markdown } = await reader.content((await nodeTitled(reader, "Handbook")).id);
      const bareId = id.replaceAll("-", "");
      const addresses = markdown.split(/[\s"()]/).filter((address) => address.includes(bareId));
      assert.ok(addresses.length > 0, "the text that links to it does not have its address");
      for (const address of [...addresses, ...(url === null ? [] : [url])])
        assert.equal(under.provider.pageOfUrl(address), id, address);
      assert.equal(under.provider.pageOfUrl("https://elsewhere.example/Glossary"), null);
    },
  },
];

const pick = ({ title, parent, updatedAt }: Awaited<ReturnType<typeof nodeTitled>>) => ({
  title,
  parent,
  updatedAt,
});
