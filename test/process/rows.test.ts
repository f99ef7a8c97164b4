import assert from "node:assert/strict";
import { before, test } from "node:test";
import type { Client } from "@clew/client";
import { clientOf, type SignedIn, signIn } from "../support/session.ts";
import { syncedDemo } from "../support/shared-demo.ts";

let demo: URL;
let session: SignedIn;
let client: Client;

before(async () => {
  demo = await syncedDemo();
  session = await signIn(demo);
  client = clientOf(demo, session);
});

async function databaseOf(title: string): Promise<string> {
  const { items } = await client.searchPages({ q: title, type: "database" });
  const found = items.find(({ node }) => node.title === title);
  assert.ok(found, `there is no database ${title}`);
  return found.node.id;
}

test("GRAPH-23: the demo workspace's databases are listed, filtered and sorted as they were synced", async () => {
  const id = await databaseOf("Stars");
  const { schema, items, total } = await client.listRows({
    id,
    where: ["constellation = ORION", "Magnitude < 1", "Variable is not empty"],
    sort: "magnitude",
    column: ["Name", "Magnitude", "Kind"],
  });
  assert.deepEqual(
    schema.map(({ name, type }) => [name, type]),
    [
      ["Name", "title"],
      ["Magnitude", "number"],
      ["Kind", "select"],
    ],
  );
  assert.ok(schema.at(-1)?.options.includes("red supergiant"));
  assert.deepEqual(
    items.map(({ properties }) => properties),
    [
      { Name: "Rigel", Magnitude: 0.13, Kind: "blue supergiant" },
      { Name: "Betelgeuse", Magnitude: 0.5, Kind: "red supergiant" },
    ],
  );
  assert.equal(total, 2);
});

test("GRAPH-23: every database of the demo workspace has the rows that its tree has, in each form", async () => {
  const { items: databases } = await client.searchPages({ type: "database" });
  assert.equal(databases.length, 3);
  for (const { node } of databases) {
    const { items: below } = await client.listTree({ under: node.id, depth: 1, limit: 500 });
    const { items, total } = await client.listRows({ id: node.id, limit: 200 });
    assert.deepEqual(items.map((row) => row.node.id).sort(), below.map((row) => row.node.id).sort());
    assert.equal(total, items.length);
    for (const accept of ["text/csv", "text/markdown"]) {
      const url = new URL(`api/provider-graph/nodes/${node.id}/rows/?limit=200`, demo);
      const response = await fetch(url, { headers: { accept, authorization: `Bearer ${session.access}` } });
      assert.equal(response.headers.get("content-type"), `${accept}; charset=utf-8`);
      const text = await response.text();
      for (const row of items) assert.ok(text.includes(row.node.id), `${accept} lacks ${row.node.title}`);
    }
  }
});

test("GRAPH-23: dates of the demo workspace are compared as times", async () => {
  const id = await databaseOf("Messier Objects");
  const before = await client.listRows({ id, where: ["Catalogued < 1760-01-01"], column: ["Catalogued"] });
  assert.deepEqual(
    before.items.map(({ properties }) => properties),
    [{ Catalogued: { start: "1758-09-12", end: null } }],
  );
});
