import assert from "node:assert/strict";
import { test } from "node:test";
import type { Neighbors } from "@clew/client";
import { groupBySentence } from "./link-sentences.ts";

type Neighbour = Neighbors["items"][number];

/** A page that page `from` links to, at these places. */
function linked(
  id: string,
  excerpts: readonly (readonly [offset: number, text: string, mark: number])[],
  from = "here",
) {
  const links = excerpts.map(([offset, text, mark]) => ({ offset, text, marks: [[mark, mark + 1]] }));
  const edge = { from, to: id, type: "link", name: null, count: 1, excerpts: links };
  // The other fields of a page and an edge play no part.
  return { node: { id, title: id }, edges: [edge], depth: 1 } as unknown as Neighbour;
}

const shown = (neighbours: readonly Neighbour[]) =>
  groupBySentence(neighbours, "link").map(({ nodes, sentences }) => [
    nodes.map(({ id }) => id).join(" "),
    ...sentences.map(({ text, marks }) => `${text} ${marks.join("|")}`),
  ]);

test("GRAPH-24: a sentence with several links is listed once, with the marks of all of them", () => {
  const neighbours = [
    linked("b", [[10, "See b and a.", 4]]),
    linked("c", [[50, "Then c.", 5]]),
    linked("a", [
      [10, "See b and a.", 2],
      [50, "Then c.", 1],
    ]),
  ];
  assert.deepEqual(shown(neighbours), [
    ["b a", "See b and a. 2,3|4,5"],
    ["c", "Then c. 1,2|5,6"],
  ]);
});

test("GRAPH-24: equal sentences of different pages are two, and one that is only the title is none", () => {
  const neighbours = [
    linked("b", [[10, "See it.", 0]], "one"),
    linked("c", [[10, "See it.", 0]], "two"),
    linked("d", [[90, "D.", 0]]),
    linked("e", []),
  ];
  assert.deepEqual(shown(neighbours), [["b", "See it. 0,1"], ["c", "See it. 0,1"], ["d"], ["e"]]);
});
