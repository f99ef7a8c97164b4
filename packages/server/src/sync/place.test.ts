import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { ListedNode, ParentRef } from "../provider/port.ts";
import { createCatalog } from "./catalog.ts";
import { place } from "./place.ts";

function node(id: string, parent: ParentRef): ListedNode {
  return {
    id,
    type: "page",
    title: id,
    icon: null,
    url: null,
    parent,
    createdAt: 1,
    updatedAt: 1,
    inTrash: false,
    properties: {},
    threads: [],
    mentioned: [],
    cutProperties: [],
    dataSourceIds: [],
  };
}

const below = (id: string): ParentRef => ({ kind: "node", id, type: "page" });

test("SYNC-1: a circle of parents is cut at its smallest id, and nowhere else", () => {
  const catalog = createCatalog();
  place(
    [node("c", below("a")), node("d", below("b")), node("b", below("c")), node("a", below("b"))],
    catalog,
  );
  assert.deepEqual(Object.fromEntries(catalog.parents), { a: null, b: "c", c: "a", d: "b" });
});

test("SYNC-1: a page that is its own parent is a root", () => {
  const catalog = createCatalog();
  place([node("a", below("a"))], catalog);
  assert.equal(catalog.parents.get("a"), null);
});

test("SYNC-1: blocks that hold each other lead nowhere", () => {
  const catalog = createCatalog();
  catalog.blocks.set("x", { kind: "block", id: "y" }).set("y", { kind: "block", id: "x" });
  place([node("a", { kind: "block", id: "x" })], catalog);
  assert.equal(catalog.parents.get("a"), null);
});

test("SYNC-1: whatever the provider says of parents, every way up ends, and at a node", () => {
  const ids = ["a", "b", "c", "d", "e", "f", "g", "not shared"];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...ids), { minLength: 7, maxLength: 7 }), (parents) => {
      const catalog = createCatalog();
      const nodes = parents.map((parent, index) => node(ids[index] ?? "", below(parent)));
      place(nodes.slice(0, 4), catalog);
      place(nodes.slice(4), catalog);
      for (const start of ids.slice(0, 7)) {
        let here: string | null = start;
        for (let steps = 0; here !== null; steps += 1) {
          assert.ok(steps <= 7 && catalog.parents.has(here));
          here = catalog.parents.get(here) ?? null;
        }
      }
    }),
  );
});
