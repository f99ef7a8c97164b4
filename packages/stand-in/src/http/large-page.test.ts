import assert from "node:assert/strict";
import { test } from "node:test";
import { idsByTitle } from "../testing/references.ts";
import { serveFiles } from "../testing/serve-folder.ts";

test("a page of 30 000 blocks is cut at 20 000, and lists the rest, which can be read", async (t) => {
  const { signIn } = await serveFiles(t, {
    "long.md": Array.from({ length: 30_000 }, (_, index) => `Paragraph ${index}`).join("\n\n"),
  });
  const { notion } = await signIn();
  const id = (await idsByTitle(notion)).get("long") ?? "";
  const { markdown, truncated, unknown_block_ids } = await notion.pages.retrieveMarkdown({ page_id: id });
  assert.equal(truncated, true);
  assert.equal(markdown.split("\n").length, 20_000);
  assert.equal(new Set(unknown_block_ids).size, 10_000);
  for (const [index, text] of [
    [0, "Paragraph 20000"],
    [9_999, "Paragraph 29999"],
  ] as const) {
    const rest = await notion.pages.retrieveMarkdown({ page_id: unknown_block_ids[index] ?? "" });
    assert.deepEqual([rest.markdown, rest.truncated], [text, false]);
  }
});
