import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGraph, titled } from "@clew/graph/testing";
import { noTexts } from "../texts/text-snapshots.ts";
import { createGraphCache, createGraphVersions, versionGraceMs } from "./graph-cache.ts";

/** A cache with room for two and a half graphs, and which of connections 1 to 3 it holds. */
function setUp() {
  const time = { now: 1_000_000 };
  const published = (version: number) => ({ graph: titled("A", "B"), texts: noTexts, version });
  const cache = createGraphCache(() => time.now, 2.5 * published(0).graph.byteLength);
  const held = () => [1, 2, 3].filter((connection) => cache.peek(connection) !== null);
  return { time, published, cache, held };
}

test("over the budget, the graphs used longest ago are released", () => {
  const { cache, published, held } = setUp();
  cache.place(1, published(1));
  cache.place(2, published(1));
  assert.deepEqual(held(), [1, 2]);
  cache.use(1);
  cache.place(3, published(1));
  assert.deepEqual(held(), [1, 3]);
  cache.place(2, published(1));
  assert.deepEqual(held(), [2, 3]);
});

test("a graph that is larger than the budget is held until another is placed", () => {
  const { published } = setUp();
  const cache = createGraphCache(() => 0, 1);
  cache.place(1, published(1));
  assert.notEqual(cache.peek(1), null);
  cache.place(2, published(1));
  assert.equal(cache.peek(1), null);
  assert.notEqual(cache.peek(2), null);
});

test("GRAPH-12: a graph in which a list is being read is kept for a minute, whatever the budget", () => {
  const { cache, published, held, time } = setUp();
  cache.place(1, published(7));
  assert.notEqual(cache.use(1).find(7), null);
  cache.place(2, published(1));
  cache.place(3, published(1));
  assert.deepEqual(held(), [1, 3]);
  time.now += versionGraceMs + 1;
  cache.place(2, published(1));
  assert.deepEqual(held(), [2, 3]);
});

test("GRAPH-12: a replaced graph is kept and counted for its minute, and its room is free afterwards", () => {
  const { cache, published, held, time } = setUp();
  cache.place(1, published(1));
  cache.place(1, published(2));
  cache.place(2, published(1));
  assert.deepEqual(held(), [2]);
  assert.notEqual(cache.use(1).find(1), null);
  time.now += versionGraceMs + 1;
  cache.prune(1);
  assert.equal(cache.use(1).find(1), null);
  cache.place(1, published(3));
  assert.deepEqual(held(), [1, 2]);
});

test("GRAPH-15: a forgotten connection's graphs are gone", () => {
  const { cache, published, held } = setUp();
  cache.place(1, published(1));
  cache.forget(1);
  assert.deepEqual(held(), []);
});

const emptyGraph = (version: number) => ({
  version,
  graph: buildGraph({ nodes: [], references: [] }),
  texts: noTexts,
});

test("GRAPH-12: a version is found for at least a minute after a newer one replaced it", () => {
  assert.ok(versionGraceMs >= 60_000);
  let now = 0;
  const versions = createGraphVersions(() => now);
  const [first, second] = [emptyGraph(1), emptyGraph(2)];
  versions.place(first);
  now += 10 * versionGraceMs;
  assert.equal(versions.find(1), first, "the newest does not expire");

  versions.place(second);
  assert.equal(versions.latest(), second);
  now += versionGraceMs;
  assert.equal(versions.find(1), first);
  now += 1;
  assert.equal(versions.find(1), null);
  assert.equal(versions.find(2), second);
});

test("GRAPH-12: several older versions are held at once, each for its own minute", () => {
  let now = 0;
  const versions = createGraphVersions(() => now);
  for (const version of [1, 2, 3]) {
    versions.place(emptyGraph(version));
    now += versionGraceMs / 2;
  }
  assert.deepEqual(
    [1, 2, 3].map((version) => versions.find(version)?.version),
    [1, 2, 3],
  );
  now += 1;
  assert.deepEqual(
    [1, 2, 3].map((version) => versions.find(version)?.version),
    [undefined, 2, 3],
  );
});

test("GRAPH-12: a version that never existed is not found", () => {
  const versions = createGraphVersions(() => 0);
  assert.equal(versions.latest(), null);
  assert.equal(versions.find(0), null);
  versions.place(emptyGraph(5));
  assert.equal(versions.find(4), null);
  assert.equal(versions.find(6), null);
});
