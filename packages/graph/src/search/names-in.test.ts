import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGraph, page } from "../testing/index.ts";
import { namesIn } from "./names-in.ts";

const titles = [
  "Mark King (musician)",
  "Mark",
  "The Dandy Warhols",
  "木星",
  "Time (a) b",
  "King",
  "Old Time",
  "C++",
];
const graph = buildGraph({
  nodes: titles.map((title, number) => page(number, { title, aliases: title === "King" ? ["Rex"] : [] })),
  references: [],
});
const found = (text: string) =>
  namesIn(graph, text).map(({ name, nodes }) => [name, ...nodes.map((node) => graph.nodeAt(node).title)]);

test("GRAPH-22: a text contains titles and aliases as whole words, the longest of those that overlap", () => {
  assert.deepEqual(found("Which singer is American, MARK KING or Rex?"), [
    ["mark king", "Mark King (musician)"],
    ["rex", "King"],
  ]);
  assert.deepEqual(found("Mark's king; Kings and markers of the dandy warhols"), [
    ["mark", "Mark"],
    ["king", "King"],
    ["the dandy warhols", "The Dandy Warhols"],
  ]);
});

test("GRAPH-22: a title counts without one pair of brackets at its end, and anywhere in a script without spaces", () => {
  assert.deepEqual(found("time"), []);
  assert.deepEqual(found("木星是太阳系中最大的行星"), [["木星", "木星"]]);
  assert.deepEqual(found(""), []);
});
