import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGraph, type GraphInput } from "../testing/graph-input.ts";
import { readMap } from "../testing/read-map.ts";
import { id, page, reference } from "../testing/samples.ts";
import { folderMapOf, linkMapOf } from "./map.ts";
import { withColour } from "./map-file.ts";
import { preorderTreeOf } from "./preorder-tree.ts";
import { namesOf } from "./region-names.ts";
import { noRegion, type Regions } from "./regions.ts";

/** Folders 0 and 1 with ten pages each, whose titles say where they are. */
const twoFolders: GraphInput["nodes"] = [
  page(0, { title: "Plugins" }),
  page(1, { title: "People" }),
  ...Array.from({ length: 10 }, (_, n) => page(10 + n, { title: `Plugin ${n}`, parentId: id(0) })),
  ...Array.from({ length: 10 }, (_, n) => page(30 + n, { title: `Person ${n}`, parentId: id(1) })),
  page(50, { title: "Best plugins" }),
  // They make the workspace large enough for the two to say something.
  ...Array.from({ length: 40 }, (_, n) => page(60 + n, { title: `Other ${n}` })),
];

/** The names of regions that are given by the numbers of their pages. */
function namesIn(references: GraphInput["references"], ...groups: readonly (readonly number[])[]): string[] {
  const { columns } = buildGraph({ nodes: twoFolders, references });
  const graph = buildGraph({ nodes: twoFolders, references });
  const homes = new Uint16Array(twoFolders.length).fill(groups.length);
  for (const [region, numbers] of groups.entries())
    for (const number of numbers) homes[columns.tree.positions[graph.indexOf(id(number))] ?? 0] = region;
  const regions: Regions = { parents: new Uint16Array(groups.length + 1).fill(noRegion), homes };
  return namesOf(columns, preorderTreeOf(columns), regions)
    .slice(0, -1)
    .map(({ name }) => name);
}

const range = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

test("GRAPH-30: a region is called by the folder of most of its pages", () => {
  assert.deepEqual(namesIn([], [...range(10, 7), ...range(60, 3)]), ["Plugins"]);
});

test("GRAPH-30: regions in one folder are also called by their most central pages", () => {
  const links = [
    ...range(11, 4).map((from) => reference(from, 10)),
    ...range(16, 4).map((from) => reference(from, 15)),
    // A page that everything links is central to nothing.
    ...range(11, 4).map((from) => reference(from, 14)),
    ...range(60, 40).map((from) => reference(from, 14)),
  ];
  assert.deepEqual(namesIn(links, range(10, 5), range(15, 5)), ["Plugins: Plugin 0", "Plugins: Plugin 5"]);
});

test("GRAPH-30: a region of many folders is called by central pages, and never by an author of what is in it", () => {
  // Each person names ten plugins, and each of those the person.
  const authors = range(30, 10).flatMap((person) =>
    range(10, 10).flatMap((plugin) => [reference(plugin, person), reference(person, plugin)]),
  );
  const everything = [...range(10, 10), ...range(30, 10), 50];
  assert.deepEqual(namesIn(authors, everything), ["People, Plugins"]);
  const listed = range(10, 10).map((plugin) => reference(plugin, 50));
  assert.deepEqual(namesIn([...authors, ...listed], everything), ["Best plugins"]);
});

test("GRAPH-30: long names are cut between characters, and pages without a title give none", () => {
  const nodes = [
    page(0, { title: "天".repeat(100) }),
    page(1, { title: "" }),
    ...range(10, 20).map((n) => page(n, { parentId: id(0) })),
    ...range(40, 20).map((n) => page(n, { parentId: id(1) })),
  ];
  const { columns } = buildGraph({ nodes, references: [] });
  for (const written of [folderMapOf(columns, 1), linkMapOf(columns, 1, null).map]) {
    const names = readMap(withColour(written, "region")).regions.map(({ name }) => name);
    assert.ok(names.includes("天".repeat(53)), names.join());
    assert.ok(names.includes(""), names.join());
  }
});
