import { test } from "node:test";
import { assertLinear } from "../testing/assert-linear.ts";
import { blockTree, type TreeBlock } from "./block-tree.ts";
import { inlineTree } from "./inline-tree.ts";
import { cellsOf, partsWithPipes } from "./pipe-tables.ts";

/** Whether the steps of a module count. */
const isCounted = (url: string) => /\/text\/src\/(?!testing\/|.*\.test\.ts)/.test(url);

function readLines(blocks: readonly TreeBlock[]): void {
  for (const block of blocks) {
    if ("line" in block) inlineTree(block.line);
    if ("rows" in block) for (const cell of block.rows.flat()) inlineTree(cell);
    readLines(block.children);
  }
}

test("GRAPH-17: the steps to read a text as trees grow with its length, whatever it contains", () => {
  assertLinear((markdown) => readLines(blockTree(markdown)), isCounted);
});

test("AGT-2: the steps to show a text grow with its length, whatever it contains", () => {
  assertLinear((markdown) => {
    for (const { start, end, isRow } of partsWithPipes(markdown)) if (isRow) cellsOf(markdown, start, end);
  }, isCounted);
});
