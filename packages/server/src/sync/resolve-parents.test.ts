import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeId } from "@clew/graph";
import fc from "fast-check";
import { resolveParents } from "./resolve-parents.ts";
import { createSyncState } from "./state.ts";

/** An id whose bytes are those of a name. */
function idOf(name: string): NodeId {
  const hex = Buffer.from(name).toString("hex").padEnd(32, "0");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

const nameOf = (id: NodeId) => Buffer.from(id.replaceAll("-", ""), "hex").toString().replaceAll("\0", "");

/** A catalog of nodes that hang in these, by names. */
function catalogOf(nodes: Readonly<Record<string, string | null>>) {
  const state = createSyncState();
  for (const [letter, containerId] of Object.entries(nodes))
    state.nodes.set(idOf(letter), containerId && idOf(containerId));
  return state;
}

const placed = (state: ReturnType<typeof createSyncState>): Record<string, string | null> =>
  Object.fromEntries(
    [...resolveParents(state.nodes.keys(), state)].map(([id, parent]) => [
      nameOf(id),
      parent && nameOf(parent),
    ]),
  );

test("SYNC-1: a circle of parents is cut at its smallest id, and nowhere else", () => {
  const state = catalogOf({ c: "a", d: "b", b: "c", a: "b" });
  assert.deepEqual(placed(state), { a: null, b: "c", c: "a", d: "b" });
});

test("SYNC-1: a page that is its own parent is a root", () => {
  assert.deepEqual(placed(catalogOf({ a: "a" })), { a: null });
});

test("SYNC-1: the way up leads through blocks and data sources to the next node", () => {
  const state = catalogOf({ database: null, row: "source", page: "inner" });
  state.databases.set(idOf("source"), idOf("database"));
  state.blocks.set(idOf("inner"), idOf("outer")).set(idOf("outer"), idOf("row"));
  assert.deepEqual(placed(state), { database: null, row: "database", page: "row" });
});

test("SYNC-1: blocks that hold each other lead nowhere", () => {
  const state = catalogOf({ a: "x" });
  state.blocks.set(idOf("x"), idOf("y")).set(idOf("y"), idOf("x"));
  assert.deepEqual(placed(state), { a: null });
});

test("SYNC-1: whatever the provider says of parents, every way up ends, and at a node", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const holder = fc.constantFrom(...ids, "not shared", null);
  fc.assert(
    fc.property(fc.tuple(holder, holder, holder, holder, holder, holder, holder), (holders) => {
      const parents = placed(catalogOf(Object.fromEntries(ids.map((id, at) => [id, holders[at] ?? null]))));
      for (const start of ids) {
        let here: string | null = start;
        for (let steps = 0; here !== null; steps += 1) {
          assert.ok(steps <= ids.length && here in parents);
          here = parents[here] ?? null;
        }
      }
    }),
  );
});
