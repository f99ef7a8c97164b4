import assert from "node:assert/strict";
import { test } from "node:test";
import type { Edge, Node, Paths } from "@clew/client";
import { drawPaths, placesOf } from "./path-layout.ts";

const path = (...ids: string[]): Paths["paths"][number] => ({
  length: ids.length - 1,
  nodes: ids.map((id) => ({ id }) as Node),
  edges: ids.slice(1).map((to, index) => ({ from: ids[index], to, type: "link" }) as Edge),
});

test("GRAPH-8: pages that several paths share are drawn once, the end at the very end", () => {
  const drawing = drawPaths([path("a", "b", "d"), path("a", "c", "b", "d")]);
  assert.deepEqual(
    [...drawing.pages].map(([id, { step, slot }]) => [id, step, slot]),
    [
      ["a", 0, 0],
      ["b", 1, 0],
      ["d", 3, 0],
      ["c", 1, 1],
    ],
  );
  assert.deepEqual(
    drawing.links.map(({ from, to }) => from + to),
    ["ab", "bd", "ac", "cb"],
  );
  assert.equal(drawing.slots, 2);
});

test("GRAPH-8: a picture of paths runs from left to right, or down where there is little room", () => {
  const drawing = drawPaths([path("a", "b")]);
  assert.deepEqual(placesOf(drawing, false).get("b"), { x: 0.75, y: 0.5 });
  assert.deepEqual(placesOf(drawing, true).get("b"), { x: 0.5, y: 0.75 });
});

test("GRAPH-8: a path of length 0 is one page", () => {
  assert.equal(drawPaths([path("a")]).pages.size, 1);
});
