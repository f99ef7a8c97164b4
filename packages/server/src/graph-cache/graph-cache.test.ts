import assert from "node:assert/strict";
import { test } from "node:test";
import { titled } from "@clew/graph/testing";
import { createGraphCache } from "./graph-cache.ts";
import { versionGraceMs } from "./graph-versions.ts";

/** Room for two and a half graphs, and what is held of connections 1 to 3. */
function setUp() {
  const time = { now: 1_000_000 };
  const published = (version: number) => ({ graph: titled("A", "B"), version });
  const shelves = createGraphCache(() => time.now, 2.5 * published(0).graph.byteLength);
  const held = () => [1, 2, 3].filter((connection) => shelves.peek(connection) !== null);
  return { time, published, shelves, held };
}

test("over the budget, the graphs used longest ago are let go", () => {
  const { shelves, published, held } = setUp();
  shelves.place(1, published(1));
  shelves.place(2, published(1));
  assert.deepEqual(held(), [1, 2]);
  shelves.use(1);
  shelves.place(3, published(1));
  assert.deepEqual(held(), [1, 3]);
  shelves.place(2, published(1));
  assert.deepEqual(held(), [2, 3]);
});

test("a graph that is larger than the budget is held until another is placed", () => {
  const { published } = setUp();
  const shelves = createGraphCache(() => 0, 1);
  shelves.place(1, published(1));
  assert.notEqual(shelves.peek(1), null);
  shelves.place(2, published(1));
  assert.equal(shelves.peek(1), null);
  assert.notEqual(shelves.peek(2), null);
});

test("GRAPH-12: a graph in which somebody goes on reading a list is kept for a minute, however tight it is", () => {
  const { shelves, published, held, time } = setUp();
  shelves.place(1, published(7));
  assert.notEqual(shelves.use(1).find(7), null);
  shelves.place(2, published(1));
  shelves.place(3, published(1));
  assert.deepEqual(held(), [1, 3]);
  time.now += versionGraceMs + 1;
  shelves.place(2, published(1));
  assert.deepEqual(held(), [2, 3]);
});

test("GRAPH-12: a replaced graph counts for its minute and is not let go, then others have its room", () => {
  const { shelves, published, held, time } = setUp();
  shelves.place(1, published(1));
  shelves.place(1, published(2));
  shelves.place(2, published(1));
  assert.deepEqual(held(), [2]);
  assert.notEqual(shelves.use(1).find(1), null);
  time.now += versionGraceMs + 1;
  shelves.prune();
  assert.equal(shelves.use(1).find(1), null);
  shelves.place(1, published(3));
  assert.deepEqual(held(), [1, 2]);
});

test("GRAPH-15: a forgotten connection's graphs are gone", () => {
  const { shelves, published, held } = setUp();
  shelves.place(1, published(1));
  shelves.forget(1);
  assert.deepEqual(held(), []);
});
