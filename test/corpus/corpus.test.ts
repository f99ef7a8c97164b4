import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sampleDirectory } from "@clew/stand-in";
import { markdownPage, writeFiles } from "../support/markdown-folder.ts";
import { stageOf } from "../support/stage.ts";
import { differences } from "./compare.ts";
import { readExpectedGraph } from "./expected-graph.ts";
import { readServedGraph } from "./served-graph.ts";

/** Any folder of Markdown. */
const ownFolder = process.env.CORPUS_DIR;

async function compare(folder: string) {
  const expected = await readExpectedGraph(folder);
  const served = await readServedGraph(folder, [...expected.nodes.keys()]);
  return { expected, differing: differences(expected, served) };
}

test("SYNC-1: the sample's graph equals an independent count of its pages and links", async () => {
  const { expected, differing } = await compare(sampleDirectory);
  assert.deepEqual(differing, []);
  assert.ok(
    expected.nodes.size > 100 && expected.references.size > 700,
    "the independent count is too small for the sample",
  );
});

test("SYNC-1: the graph of any other folder equals that count too", {
  skip: ownFolder === undefined && "CORPUS_DIR names no folder",
}, async () => {
  const { expected, differing } = await compare(ownFolder ?? "");
  assert.deepEqual(differing, []);
  assert.ok(expected.nodes.size > 0, "there are no pages in the folder");
});

test("the comparison finds a page, a title, a parent, a link, a count and an unresolved link that differ", async (t) => {
  const { folder } = await stageOf(t);
  await writeFiles(folder, {
    "a.md": markdownPage(
      "A",
      "To [B](b.md), [B](b.md) and [C](c.md), to [[B]], to [itself](a.md), [x](x.md).",
    ),
    "b.md": markdownPage("B", "Nothing."),
    "c.md": markdownPage("C", "To [A](a.md)."),
  });
  const { expected, differing } = await compare(folder);
  assert.deepEqual(differing, []);
  await rm(join(folder, "c.md"));
  await writeFiles(folder, {
    "a.md": markdownPage("A", "To [B](b.md), to [[B]], [[Nobody]]."),
    "b.md": markdownPage("Bee", "To [A](a.md)."),
    "d/c.md": markdownPage("C", "To [A](../a.md)."),
  });
  const served = await readServedGraph(folder, [...expected.nodes.keys()]);
  assert.deepEqual(differences(expected, served), [
    'b.md: ["page","Bee",null] instead of ["page","B",null]',
    "there is no node of c.md",
    "4 nodes are counted instead of 3",
    "link: a.md → b.md: 1 times instead of 2",
    "link: a.md → c.md: 0 times instead of 1",
    "link: c.md → a.md: 0 times instead of 1",
    "link: b.md → a.md: 1 times instead of 0",
    "5 edges are counted instead of 3",
    "link in a.md: 0 lead nowhere instead of 1",
    "mention in a.md: 1 lead nowhere instead of 0",
  ]);
});
