import assert from "node:assert/strict";
import { test } from "node:test";
import { markTraits } from "@clew/contract/vocabulary";
import type { Verification } from "@clew/provider";
import { nodeId, page } from "../testing/scratch.ts";
import { factsOf, isStored, type ReadNode } from "./node-facts.ts";

const mark = (state: Verification["state"]): Verification => ({ state, by: null, since: null, until: null });

test("SRC-6: a node is marked as archived, verified or expired as its provider says", () => {
  const marks = (given: Partial<ReadNode>) => {
    const bits = factsOf(page(1, given)).marks;
    return markTraits.filter((_, bit) => (bits & (1 << bit)) > 0);
  };
  assert.deepEqual(marks({}), []);
  assert.deepEqual(marks({ verification: null }), []);
  assert.deepEqual(marks({ isArchived: true }), ["archived"]);
  assert.deepEqual(marks({ verification: mark("verified") }), ["verified"]);
  assert.deepEqual(marks({ verification: mark("expired"), isArchived: true }), ["archived", "expired"]);
});

test("SYNC-7: a node is stored already unless one of its facts differs", () => {
  const node = page(1, { parentId: nodeId(2), aliases: ["One"], unreadProperties: ["Owner"] });
  const same = (given: Partial<ReadNode>) => isStored(factsOf({ ...node, ...given }), factsOf(node));
  assert.equal(same({}), true);
  assert.equal(same({ repeatedProperties: ["Name"], foundBy: "rows" }), true, "these are no facts");
  const others: readonly Partial<ReadNode>[] = [
    { type: "database" },
    { title: "Another" },
    { aliases: [] },
    { icon: "🧶" },
    { url: "https://example.org" },
    { parentId: nodeId(3) },
    { parentId: null },
    { createdAt: 9 },
    { updatedAt: 9 },
    { properties: { Status: "open" } },
    { createdBy: { id: "a", name: null } },
    { editedBy: { id: "a", name: null } },
    { isArchived: true },
    { unreadProperties: [] },
    { verification: mark("expired") },
    { description: "Of two" },
  ];
  for (const other of others) assert.equal(same(other), false, JSON.stringify(other));
});
