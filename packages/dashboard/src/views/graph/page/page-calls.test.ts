import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf } from "./page-calls.ts";

const page = { id: "p", type: "page" } as const;

test("the call that is copied from a local graph has its steps and its kinds of links", () => {
  assert.deepEqual(callsOf(page, { view: "graph", depth: 2, kinds: "link,child" }), [
    {
      part: "picture",
      path: "nodes/p/neighbors/",
      query: { depth: 2, edge_type: "link,child" },
      tool: "list_links",
      args: { page: "p", depth: 2, kinds: ["link", "subpage"] },
    },
  ]);
  const [whole] = callsOf(page, { view: "graph" });
  assert.deepEqual([whole?.query, whole?.args], [{ depth: 1 }, { page: "p", depth: 1 }]);
});

test("each part of a page's view has a call, and rows come with the conditions of the URL", () => {
  assert.deepEqual(
    callsOf(page, {}).map(({ part }) => part),
    ["text", "backlinks", "links", "related"],
  );
  const [rows] = callsOf({ ...page, type: "database" }, { where: ["A = b"], sort: "A", order: "desc" });
  assert.deepEqual(rows?.query, { where: ["A = b"], sort: "A", order: "desc" });
  assert.deepEqual(rows?.args, { database: "p", where: ["A = b"], sort: "A", order: "desc" });
});
