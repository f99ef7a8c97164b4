import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import fc from "fast-check";
import { Graph, type GraphColumns } from "./graph.ts";
import { columnsFormat, columnsFrom, storedColumns } from "./stored-columns.ts";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { answersOf } from "./testing/graph-thread.ts";
import { id, page, reference } from "./testing/samples.ts";

const sample = buildGraph({
  nodes: [
    page(0, { title: "Ünïcödé 🧵", aliases: ["thread", "ſtraße"], icon: "🧵" }),
    page(1, { title: "", parentId: id(0), type: "database", url: null }),
    page(2, { title: "日本語 notes", parentId: id(1), updatedAt: 5 }),
    page(3, { title: "In a circle", parentId: id(3) }),
  ],
  references: [
    reference(0, 2),
    reference(2, 1, "relation", { name: "\ud800 half a pair" }),
    reference(2, 9),
    reference(3, 0, "link", { count: 70_000 }),
  ],
});

/** The stored bytes of columns, in one piece that begins after `start` other bytes. */
function memoryOf(columns: GraphColumns, start: number) {
  const { layout, parts, byteLength } = storedColumns(columns);
  const memory = new SharedArrayBuffer(start + byteLength);
  new Uint8Array(memory).set(Buffer.concat(parts), start);
  return { layout, memory };
}

test("a graph of stored columns has the same columns in one piece of shared memory, and answers alike", () => {
  const same = (columns: GraphColumns) => {
    const { layout, memory } = memoryOf(columns, 32);
    const restored = new Graph(columnsFrom(layout, memory, 32));
    assert.deepEqual(restored.columns, columns);
    assert.equal(restored.columns.nodes.titles.bytes.buffer, memory);
    return restored;
  };
  assert.deepEqual(answersOf(same(sample.columns)), answersOf(sample));
  fc.assert(
    fc.property(arbitraryGraph(6), (input) => void same(buildGraph(input).columns)),
    { numRuns: 50 },
  );
});

test("a column that stands in two places is stored once", () => {
  const { columns } = buildGraph({ nodes: [page(0), page(1)], references: [] });
  assert.equal(columns.titles.texts, columns.titles.nodes);
  const { layout, memory } = memoryOf(columns, 0);
  const { titles } = columnsFrom(layout, memory, 0);
  assert.equal(titles.texts, titles.nodes);
});

test("the stored bytes of a graph are those of this format: if they differ, raise `columnsFormat`", () => {
  const { layout, parts } = storedColumns(sample.columns);
  const digest = createHash("sha256").update(layout).update(Buffer.concat(parts)).digest("hex").slice(0, 16);
  assert.deepEqual([columnsFormat, digest], [3, "333ab2bc78d27a83"]);
});
