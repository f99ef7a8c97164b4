import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edge, Neighbors, Node } from "@clew/client";
import { boundsOf, layOut, nextInDirection, placeLabels } from "./layout.ts";
import {
  foldHubs,
  growScene,
  hiddenLinks,
  mostNodes,
  startScene,
  visibleScene,
  withLinksAmong,
} from "./scene.ts";

const node = (id: string, out = 0): Node =>
  ({ id, title: id, type: "page", importance: 0.5, degree: { in: 0, out } }) as Node;
const edge = (from: string, to: string, type: Edge["type"] = "link"): Edge => ({
  from,
  to,
  type,
  name: null,
  count: 1,
});
const item = (id: string, depth: number, ...edges: Edge[]): Neighbors["items"][number] => ({
  node: node(id),
  depth,
  edges,
});

const star = (leaves: number) =>
  growScene(
    startScene(node("c", leaves)),
    "c",
    Array.from({ length: leaves }, (_, index) => item(`n${index}`, 1, edge("c", `n${index}`))),
  );

test("a scene looks the same each time, whatever the order of its pages", () => {
  const items = [item("a", 1, edge("c", "a")), item("b", 1, edge("b", "c")), item("d", 2, edge("a", "d"))];
  const once = layOut(growScene(startScene(node("c")), "c", items));
  const again = layOut(growScene(startScene(node("c")), "c", items.toReversed()));
  assert.deepEqual([...once].toSorted(), [...again].toSorted());
});

test("pages keep their places while a scene grows", () => {
  const scene = star(6);
  const before = layOut(scene);
  const grown = growScene(scene, "n0", [item("x", 1, edge("n0", "x")), item("y", 1, edge("y", "n0"))]);
  const after = layOut(grown, before);
  for (const [id, point] of before) assert.deepEqual(after.get(id), point, id);
  assert.equal(grown.nodes.get("x")?.depth, 2);
});

test("pages stand apart, also where all hang on one", () => {
  const points = [...layOut(star(80)).values()];
  for (const [index, a] of points.entries())
    for (const b of points.slice(index + 1)) assert.ok(Math.hypot(a.x - b.x, a.y - b.y) > 12);
});

test("a scene holds at most 300 pages, and tells how many links it does not show", () => {
  const scene = star(500);
  assert.equal(scene.nodes.size, mostNodes);
  assert.equal(hiddenLinks(scene, "c"), 500 - (mostNodes - 1));
});

test("how long 300 pages take to be laid out", (t) => {
  const scene = star(500);
  const startedAt = performance.now();
  const positions = layOut(scene);
  t.diagnostic(`${Math.round(performance.now() - startedAt)} ms`);
  assert.equal(positions.size, scene.nodes.size);
});

test("of a hub's own leaves the most important stay; pages that others link to as well stay too", () => {
  const leaves = Array.from({ length: 412 }, (_, index) => item(`n${index}`, 2, edge("hub", `n${index}`)));
  const shared = item("shared", 2, edge("hub", "shared"), edge("other", "shared"));
  const folded = foldHubs([item("hub", 1, edge("c", "hub")), ...leaves, shared]);
  assert.equal(folded.length, 1 + 8 + 1);
  assert.ok(folded.includes(shared));
});

test("without a kind of link, what it alone connects is not shown", () => {
  const scene = growScene(startScene(node("c")), "c", [
    item("a", 1, edge("c", "a", "mention")),
    item("b", 1, edge("c", "b")),
    item("d", 2, edge("a", "d")),
  ]);
  assert.deepEqual([...visibleScene(scene, ["link"]).nodes.keys()], ["c", "b"]);
});

test("links among pages of a scene are shown beside those that led to them, and move no page", () => {
  const scene = star(3);
  const among = [edge("c", "n0"), edge("n0", "n1", "mention"), edge("n1", "n0"), edge("n0", "elsewhere")];
  const whole = withLinksAmong(scene, [...among, edge("n1", "n0")]);
  assert.deepEqual(whole.across, among.slice(1, 3));
  assert.deepEqual(layOut(whole), layOut(scene));
  assert.deepEqual(visibleScene(whole, ["link"]).across, [edge("n1", "n0")]);
});

test("a link among pages is none that a page hides", () => {
  const scene = growScene(startScene(node("c", 1)), "c", [
    item("a", 1, edge("c", "a")),
    { ...item("b", 1, edge("b", "c")), node: node("b", 3) },
  ]);
  assert.equal(hiddenLinks(scene, "b"), 2);
  assert.equal(hiddenLinks(withLinksAmong(scene, [edge("b", "a")]), "b"), 1);
});

test("arrows lead to the nearest page in their direction", () => {
  const others = new Map([
    ["near", { x: 10, y: 2 }],
    ["far", { x: 50, y: 0 }],
    ["up", { x: 0, y: -9 }],
  ]);
  assert.equal(nextInDirection({ x: 0, y: 0 }, others, "ArrowRight"), "near");
  assert.equal(nextInDirection({ x: 0, y: 0 }, others, "ArrowUp"), "up");
  assert.equal(nextInDirection({ x: 0, y: 0 }, others, "ArrowLeft"), null);
});

test("names do not cover each other; the first ones stay", () => {
  const positions = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", { x: 4, y: 4 }],
    ["c", { x: 0, y: 90 }],
  ]);
  const names = ["a", "b", "c"].map((id) => ({ id, title: `title of ${id}`, radius: 5 }));
  assert.deepEqual(
    placeLabels(names, positions).map(({ id }) => id),
    ["a", "c"],
  );
});

test("names in wide characters do not cover each other either, and no name is cut at the edge", () => {
  const positions = new Map([
    ["a", { x: 0, y: 0 }],
    ["b", { x: 150, y: 0 }],
  ]);
  const placed = (title: string) =>
    placeLabels(
      ["a", "b"].map((id) => ({ id, title, radius: 5 })),
      positions,
    );
  assert.equal(placed("twenty letters of it").length, 2);
  assert.equal(placed("二十個文字二十個文字二十個文字二十個文").length, 1);
  const labels = placed("a name of some length that is cut");
  const { x } = boundsOf(positions.values(), labels, 1);
  assert.ok(x < -70);
});
