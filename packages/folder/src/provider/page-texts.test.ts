import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { writeFolder } from "../testing/index.ts";
import { openWorkspace } from "../workspace/open.ts";
import { PageTexts } from "./page-texts.ts";

/** A text that takes a second of processor time, and much more than 20 ms. */
const hugeTable = `${"|a".repeat(3_000)}\n${"|-".repeat(3_000)}\n${"|x\n".repeat(100)}`;

test("SYNC-5: a text that was cut after its processor time is not read again until its file changes", async (t) => {
  const directory = await writeFolder(t, { "a.md": `# A\n\nThe beginning.\n\n${hugeTable}` });
  const opened = await openWorkspace(directory);
  const limits: number[] = [];
  const texts = new PageTexts({
    limitMs(length) {
      limits.push(length);
      return length > 1_000 ? 20 : 60_000;
    },
  });
  const read = async () => {
    const [page] = (await opened.reload()).entries.filter(({ kind }) => kind === "page");
    assert.ok(page);
    return texts.read(opened.current(), page, opened);
  };
  const cut = await read();
  assert.equal(cut.cut, "it takes too much processor time to read");
  assert.match(cut.markdown, /\\\[The rest of this page was not read\.\\\]$/);
  assert.deepEqual(await read(), cut);
  assert.equal(limits.length, 1, "the second time nothing is read");
  await writeFile(join(directory, "a.md"), "# A\n\nThe beginning.");
  assert.deepEqual(await read(), { markdown: "The beginning.", unsupported: 0, cut: null });
  assert.equal(limits.length, 2);
});
