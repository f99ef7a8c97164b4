import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { anyPage } from "../testing/index.ts";
import { headedSectionsOf } from "./headed-sections.ts";
import { passagesOf } from "./passages.ts";

const shapeOf = (markdown: string) =>
  headedSectionsOf(markdown).map(({ headings, groups }) => ({
    headings: headings.map(({ marker, text }) => marker + text),
    groups: groups.map(({ introduction, kind, items }) => [
      ...(introduction === null ? [] : [introduction.text]),
      kind,
      ...items.map((item) => item.map(({ text }) => text).join(" ")),
    ]),
  }));

test("GRAPH-22: lists, tables and what introduces them are groups below all their headings", () => {
  const markdown = [
    "intro",
    "# A",
    "See:",
    "- one",
    "\t- nested",
    "\t\tmore",
    "- two",
    "## B",
    "| h | k |",
    "| --- | --- |",
    "| a | b |",
    "",
    "| z |",
    "after:",
    "```",
    "code",
    "```",
    "# C",
    "# D",
    "1. x",
    "para:",
    "para",
  ];
  assert.deepEqual(shapeOf(markdown.join("\n")), [
    { headings: [], groups: [["block", "intro"]] },
    { headings: ["# A"], groups: [["See:", "list", "one nested more", "two"]] },
    {
      headings: ["# A", "## B"],
      groups: [
        ["table", "h | k", "a | b"],
        ["table", "z"],
        ["after:", "block", "code"],
      ],
    },
    { headings: ["# C"], groups: [] },
    {
      headings: ["# D"],
      groups: [
        ["list", "x"],
        ["block", "para:"],
        ["block", "para"],
      ],
    },
  ]);
});

test("GRAPH-22: lists beside each other are as many groups: their signs differ, or numbers begin anew", () => {
  const lists = "- a\n* b\n1. c\n2. d\n1. e\n1. f\n5. g\n- [x] h";
  assert.deepEqual(shapeOf(lists)[0]?.groups, [
    ["list", "a", "b"],
    ["list", "c", "d"],
    ["list", "e", "f"],
    ["list", "g"],
    ["list", "h"],
  ]);
});

test("GRAPH-22: two tables of the provider are two groups", () => {
  const table = (cell: string) => `<table>\n<tr>\n<td>${cell}</td>\n</tr>\n</table>`;
  assert.deepEqual(shapeOf(`${table("a")}\n${table("b")}`)[0]?.groups, [
    ["table", "a"],
    ["table", "b"],
  ]);
});

test("GRAPH-22: the groups of a text have each of its passages once, in order", () => {
  fc.assert(
    fc.property(anyPage, (markdown) => {
      const grouped = headedSectionsOf(markdown).flatMap(({ groups }) =>
        groups.flatMap(({ introduction, items }) => [
          ...(introduction === null ? [] : [introduction]),
          ...items.flat(),
        ]),
      );
      assert.deepEqual(
        grouped,
        passagesOf(markdown).filter(({ kind }) => kind !== "heading"),
      );
    }),
  );
});

test("SRC-6: blocks of a transcript say so, and what follows is not below its heading", () => {
  const sections = headedSectionsOf("# A\nb\n<transcript>\nc\n</transcript>\nd");
  const found = sections.map(({ headings, groups }) => [
    headings.map(({ text }) => text),
    groups.flatMap(({ items }) => items.flat().map(({ text, isTranscript }) => [text, isTranscript])),
  ]);
  assert.deepEqual(found, [
    [["A"], [["b", undefined]]],
    [["A", "transcript"], [["c", true]]],
    [["A"], [["d", undefined]]],
  ]);
});
