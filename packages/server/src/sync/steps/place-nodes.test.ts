import assert from "node:assert/strict";
import { test } from "node:test";
import type { NodeId } from "@clew/graph";
import { uuidOf } from "@clew/text/basics";
import fc from "fast-check";
import { SyncState } from "../state.ts";
import { resolveParents } from "./place-nodes.ts";

/** An id whose bytes are those of a name. */
function idOf(name: string): NodeId {
  return uuidOf(Buffer.from(name).toString("hex").padEnd(32, "0"));
}

const nameOf = (id: NodeId) => Buffer.from(id.replaceAll("-", ""), "hex").toString().replaceAll("\0", "");

/** The state of a run that knows these nodes and their containers, by name. */
function stateOf(containers: Readonly<Record<string, string | null>>): SyncState {
  const state = new SyncState();
  for (const [name, containerId] of Object.entries(containers))
    state.addNode(idOf(name), containerId && idOf(containerId));
  return state;
}

const parentsIn = (state: SyncState): Record<string, string | null> =>
  Object.fromEntries(
    [...resolveParents(state.nodeIds(), state)].map(([id, parent]) => [nameOf(id), parent && nameOf(parent)]),
  );

test("SYNC-1: a cycle of parents is cut at its smallest id, and nowhere else", () => {
  const state = stateOf({ c: "a", d: "b", b: "c", a: "b" });
  assert.deepEqual(parentsIn(state), { a: null, b: "c", c: "a", d: "b" });
});

test("SYNC-1: a page that is its own parent is a root", () => {
  assert.deepEqual(parentsIn(stateOf({ a: "a" })), { a: null });
});

test("SYNC-1: the path up leads through blocks and collections to the next node", () => {
  const state = stateOf({ database: null, row: "source", page: "inner" });
  state.addCollection(idOf("source"), idOf("database"), null);
  state.addBlock(idOf("inner"), idOf("outer"));
  state.addBlock(idOf("outer"), idOf("row"));
  assert.deepEqual(parentsIn(state), { database: null, row: "database", page: "row" });
});

test("SYNC-1: blocks that contain each other lead nowhere", () => {
  const state = stateOf({ a: "x" });
  state.addBlock(idOf("x"), idOf("y"));
  state.addBlock(idOf("y"), idOf("x"));
  assert.deepEqual(parentsIn(state), { a: null });
});

test("SYNC-1: for any parents, every path up ends, and at a node", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g"];
  const holder = fc.constantFrom(...ids, "not shared", null);
  fc.assert(
    fc.property(fc.tuple(holder, holder, holder, holder, holder, holder, holder), (holders) => {
      const parents = parentsIn(stateOf(Object.fromEntries(ids.map((id, at) => [id, holders[at] ?? null]))));
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
