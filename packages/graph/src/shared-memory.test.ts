import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { byteLengthOf } from "./columns.ts";
import { buildGraph } from "./testing/graph-input.ts";
import { answersOf } from "./testing/graph-thread.ts";
import { id, page, reference } from "./testing/samples.ts";

test("every column is in memory that threads share, and another thread answers alike from the same memory", async () => {
  const graph = buildGraph({
    nodes: [
      page(0, {
        title: "Ünïcödé 🧵",
        aliases: ["thread"],
        icon: "🧵",
        url: `https://www.notion.so/${id(0)}`,
      }),
      page(1, { title: "", parentId: id(0), type: "database", url: null }),
      page(2, { title: "日本語", parentId: id(1), updatedAt: 5 }),
    ],
    references: [reference(0, 2), reference(2, 1, "relation", { name: "Größe" }), reference(2, 9)],
  });
  const { columns } = graph;
  const buffers: unknown[] = [];
  JSON.stringify(columns, (_, value) => {
    if (ArrayBuffer.isView(value)) buffers.push(value.buffer);
    return ArrayBuffer.isView(value) ? null : value;
  });
  assert.ok(buffers.length >= 30);
  // A Buffer has a toJSON that comes before; its column is checked here.
  for (const buffer of [...buffers, columns.nodes.titles.bytes.buffer])
    assert.ok(buffer instanceof SharedArrayBuffer);
  const bytes = byteLengthOf(columns);
  const thread = new Worker(new URL("./testing/graph-thread.ts", import.meta.url), { workerData: columns });
  const [answers] = await once(thread, "message");
  assert.deepEqual(answers, answersOf(graph));
  assert.equal(byteLengthOf(columns), bytes, "nothing was transferred");
});
