import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edge, Neighbors, Node } from "@clew/client";
import { groupId, groupScene, mostGroups } from "./groups.ts";
import { layOut } from "./layout.ts";
import { readRegions, regionsOf, topLevel } from "./regions.ts";
import { type Group, stepsOf } from "./scene.ts";

type Item = Neighbors["items"][number];

// The other fields of a page play no part.
const page = (id: string, parent: string | null = null, importance = 0.5): Node =>
  ({ id, title: id, type: "page", parent_id: parent, importance, degree: { in: 0, out: 0 } }) as Node;

const hub = page("hub");

/** Pages that the hub links to, by the number of those in each folder. */
function around(folders: Readonly<Record<string, number>>): Item[] {
  return Object.entries(folders).flatMap(([folder, pages]) =>
    Array.from({ length: pages }, (_, index) => {
      const id = `${folder}-${index}`;
      const edge: Edge = { from: "hub", to: id, type: "link", name: null, count: 1 };
      return { node: page(id, folder, index / pages), depth: 1, edges: [edge] };
    }),
  );
}

const regionsIn = (items: readonly Item[]) =>
  regionsOf(new Map(items.map(({ node }) => [node.id, node.parent_id ?? topLevel])), new Map());

const nameOf = ({ key, count }: Group) => `${key} ${count}`;

const marksOf = (items: readonly Item[], unfolded: readonly string[] = []) => {
  const regions = regionsIn(items);
  const scene = groupScene(hub, items, { regions, unfolded: new Set(unfolded), nameOf });
  return { scene, marks: [...scene.nodes.values()].flatMap(({ group }) => group ?? []) };
};

test("GRAPH-7: the pages around a hub are groups with their counts, and a page alone in its folder is itself", () => {
  const { scene, marks } = marksOf(around({ plugins: 1402, themes: 40, lone: 1 }));
  assert.deepEqual(
    marks.map(({ key, count, hidden, isOpen }) => [key, count, hidden, isOpen]),
    [
      ["plugins", 1402, 1402, false],
      ["themes", 40, 40, false],
    ],
  );
  assert.deepEqual([...scene.nodes.keys()], ["hub", groupId("plugins"), groupId("themes"), "lone-0"]);
  assert.equal(scene.edges.length, 3);
});

test("GRAPH-7: an unfolded group shows its most important pages, each one step away", () => {
  const items = around({ plugins: 100, themes: 5 });
  const { scene, marks } = marksOf(items, ["plugins"]);
  const shown = [...scene.nodes.values()].filter(({ hubLinks }) => hubLinks !== undefined);
  assert.equal(shown.length, 60);
  assert.equal(marks[0]?.hidden, 40);
  assert.ok(shown.every((each) => each.node.importance >= 0.4 && stepsOf(each) === 1));
  const places = layOut(scene);
  assert.deepEqual(
    [...layOut(marksOf(items.toReversed(), ["plugins"]).scene)].toSorted(),
    [...places].toSorted(),
  );
});

test("GRAPH-7: groups beyond the largest are one", () => {
  const folders = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}`, 31 - index]));
  const items = around(folders);
  const { marks } = marksOf(items);
  assert.equal(marks.length, mostGroups);
  assert.equal(
    marks.reduce((sum, { count }) => sum + count, 0),
    items.length,
  );
});

test("GRAPH-7: regions move up the tree while there are too many, and their titles are read once", async () => {
  const pages = Array.from({ length: 40 }, (_, index) => page(`p${index}`, `f${index}`));
  const folders = Array.from({ length: 40 }, (_, index) => page(`f${index}`, index < 30 ? "a" : "b"));
  const asked: string[][] = [];
  const api = {
    getPages: async ({ ids }: { ids: string | readonly string[] }) => {
      asked.push([ids].flat());
      const all = [...folders, page("a"), page("b")];
      return { items: all.filter(({ id }) => ids.includes(id)), missing: [] };
    },
  };
  const regions = await readRegions(api, pages, {
    known: [page("b")],
    most: 20,
    signal: new AbortController().signal,
  });
  assert.deepEqual(
    regions.all.map(({ key, title, count, colour }) => [key, title, count, colour]),
    [
      ["a", "a", 30, 1],
      ["b", "b", 10, 2],
    ],
  );
  assert.deepEqual(
    asked.map(({ length }) => length),
    [40, 1],
  );
});
