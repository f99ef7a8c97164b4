import assert from "node:assert/strict";
import { test } from "node:test";
import { graphLimits } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { followList, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const mebibyte = 1024 * 1024;

/** The longest text that the provider module accepts, of characters that take six bytes each as JSON. */
const longest = (word: string) => `${word} ${"\u0001".repeat(1999 - word.length)}`;
const longestUrl = `https://example.org/${"a".repeat(8000)}`;

/** Fails if the body is larger than responses may be. */
function sizeOf({ text, status }: Answer): number {
  assert.equal(status, 200, text.slice(0, 500));
  const size = Buffer.byteLength(text);
  assert.ok(size <= graphLimits.answerBytes, `${size} bytes`);
  return size;
}

test("GRAPH-2: a page of the longest titles fits into a response", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const pages = Array.from({ length: 100 }, (_, number) => ({ number, given: { title: longest("star") } }));
  await owner.connect(workspace, pages);
  const found = await owner.session.get("/search/?q=star&limit=100");
  assert.ok(sizeOf(found) > mebibyte);
  assert.equal(found.body.items.length, 100);
});

test("GRAPH-2: a page of the longest titles with the longest breadcrumbs fits into a response", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const chain = Array.from({ length: 121 }, (_, n) => ({
    number: n + 1,
    given: { title: longest("star"), url: longestUrl, parentId: n === 0 ? null : nodeId(n) },
  }));
  await owner.connect(workspace, chain);
  const found = await owner.session.get("/search/?q=star&limit=100&breadcrumb=true");
  assert.ok(sizeOf(found) > mebibyte);
  assert.equal(found.body.items.length, 100);
  for (const { node, breadcrumb, breadcrumb_truncated: truncated } of found.body.items) {
    assert.equal(breadcrumb.at(-1)?.id ?? null, node.parent_id);
    assert.equal(truncated, node.parent_id !== null && node.parent_id !== nodeId(1) ? true : undefined);
  }
});

test("GRAPH-7: a page of neighbours stays within the size limit, and paging reaches all of them", async (t) => {
  const server = await serveGraphs(t, undefined, { monotonic: () => 0 });
  const owner = await server.person("owner");
  const names = Array.from({ length: 6 }, (_, n) => longest(`${n}`));
  const references = Array.from({ length: 199 }, (_, n) =>
    names.map((name) => referenceTo(n + 2, { type: "relation", name })),
  ).flat();
  await owner.connect(workspace, [
    { number: 1, references },
    ...Array.from({ length: 199 }, (_, n) => ({ number: n + 2 })),
  ]);
  const first = await owner.session.get(`/nodes/${nodeId(1)}/neighbors/?limit=200`);
  sizeOf(first);
  assert.equal(first.body.truncated, false);
  assert.ok(first.body.items.length < 199);
  const { items, pages } = await followList(owner.session, `/nodes/${nodeId(1)}/neighbors/?limit=200`);
  assert.equal(items.length, 199);
  assert.ok(pages > 1);
});

test("GRAPH-7: the edges of a neighbour are truncated if they exceed the size limit, and the list says so", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const references = Array.from({ length: 1200 }, (_, n) =>
    referenceTo(2, { type: "relation", name: longest(`${n}`) }),
  );
  await owner.connect(workspace, [
    { number: 1, references: [...references, referenceTo(3)] },
    { number: 2 },
    { number: 3 },
  ]);
  const path = `/nodes/${nodeId(1)}/neighbors/`;
  const first = await owner.session.get(path);
  sizeOf(first);
  assert.equal(first.body.truncated, true);
  assert.equal(first.body.items.length, 1);
  const { length } = first.body.items[0].edges;
  assert.ok(length > 100 && length < 1200, `${length} edges`);
  assert.equal((await followList(owner.session, path)).items.length, 2);
});

test("GRAPH-11: a page of changes stays within the size limit, and paging reaches all of them", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const given = { title: longest("x"), url: longestUrl };
  await owner.connect(
    workspace,
    Array.from({ length: 400 }, (_, number) => ({ number, given })),
  );
  const seen = new Set<string>();
  let pages = 0;
  for (let next = "/changes/?limit=500", more = true; more; pages += 1) {
    const answer = await owner.session.get(next);
    sizeOf(answer);
    for (const { node_id } of answer.body.items) seen.add(node_id);
    more = answer.body.more;
    next = `/changes/?limit=500&cursor=${answer.body.next_cursor}`;
  }
  assert.equal(seen.size, 400);
  assert.ok(pages > 1);
});

test("GRAPH-4: a truncated node detail says so, and keeps the nearest items", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const chain = Array.from({ length: 300 }, (_, n) => ({
    number: n + 1,
    given: { title: longest(`${n}`), parentId: n === 0 ? null : nodeId(n) },
  }));
  const properties = { Large: "x".repeat(3 * mebibyte), Small: "kept" };
  const leaf = { number: 301, given: { parentId: nodeId(300), properties } };
  const references = Array.from({ length: 20_000 }, (_, n) => referenceTo(1000 + n));
  await owner.connect(workspace, [...chain, { ...leaf, references }]);
  const answer = await owner.session.get(`/nodes/${nodeId(301)}/`);
  sizeOf(answer);
  assert.equal(answer.body.truncated, true);
  assert.equal(answer.body.breadcrumb.at(-1).id, nodeId(300));
  assert.deepEqual(answer.body.properties, { Small: "kept" });
  const { length } = answer.body.unresolved;
  assert.ok(length > 1000 && length < 20_000, `${length} references`);
  assert.equal((await owner.session.get(`/nodes/${nodeId(1)}/`)).body.truncated, false);
});
