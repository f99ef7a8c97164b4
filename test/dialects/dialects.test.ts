import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { writeFiles } from "../support/markdown-folder.ts";
import { stageOf } from "../support/stage.ts";
import { compareWithTool } from "./compare.ts";

const graph = {
  "logseq/config.edn": "{}",
  "pages/term___block.md": "alias:: Blocks\n\n- one [[Feature]]",
  "pages/feat.md": "title:: Feature\n\n- [[blocks]] #b [[Nobody]] `[[b]]`",
  "pages/b.md": "- ((61110543-a71f-458d-b42e-b78a4d22f0c0)) [[b]]",
  "pages/c.md": "- c\n  id:: 61110543-a71f-458d-b42e-b78a4d22f0c0",
};

test("SRC-4: the edges of a folder are the links that its own tool sees, and a link that only one of them sees is found", async (t) => {
  const { folder } = await stageOf(t);
  await writeFiles(folder, graph);
  const { dialect, pages, links, missing, extra, notFound } = await compareWithTool(folder);
  assert.deepEqual({ dialect, pages, links }, { dialect: "Logseq", pages: 4, links: 4 });
  assert.deepEqual({ missing, extra, notFound }, { missing: [], extra: [], notFound: [] });
  await rm(join(folder, "logseq"), { recursive: true });
  await writeFiles(folder, {
    "_workspace.yml": "dialect: obsidian",
    "shown.md": "---\ntitle: Shown\n---\n",
    "links.md": "[[Shown words]] [[b]] [[Shown]]",
    "other.md": "---\ntitle: Shown words\n---\n",
  });
  const other = await compareWithTool(folder);
  assert.deepEqual(other.missing, []);
  assert.deepEqual(other.extra, ["links.md → other.md"], "a title is no name in Obsidian");
});
