import { test } from "node:test";
import { assertQuick } from "../testing/effort.ts";
import { wordsOfDrawing } from "../workspace/drawing.ts";
import { splitComments } from "./comments.ts";
import type { Dialect } from "./dialect.ts";
import { docusaurus } from "./docusaurus.ts";
import { hugo } from "./hugo.ts";
import { logseq } from "./logseq.ts";
import { mdbook } from "./mdbook.ts";
import { obsidian } from "./obsidian.ts";
import { starlight } from "./starlight.ts";
import { vitepress } from "./vitepress.ts";

const dialects: readonly Dialect[] = [obsidian, logseq, hugo, docusaurus, starlight, mdbook, vitepress];

test("SRC-2: no text takes a dialect much longer to read than prose of its length", () => {
  for (const { id, prepare } of dialects) if (prepare !== undefined) assertQuick(id, prepare);
  assertQuick("comments", splitComments);
  assertQuick("drawings", wordsOfDrawing);
});
