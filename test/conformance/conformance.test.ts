import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { chapters } from "./chapters.ts";
import { type ShownChapter, writeLongForm, writeTable } from "./document.ts";
import { showSection } from "./section.ts";
import { openStage } from "./stage.ts";

const path = join(import.meta.dirname, "../../docs/conformance.md");

/** The longest that the page may get: people read it as a whole. */
const mostLines = 200;

test("the specification, statement by statement, against a running Clew", async (t) => {
  const stage = await openStage();
  t.after(() => stage.close());
  const shown: ShownChapter[] = [];
  for (const { title, sections } of chapters) {
    const chapter: ShownChapter = { title, sections: [] };
    shown.push(chapter);
    for (const section of sections) {
      await t.test(`${section.source}: ${section.title}`, async () => {
        chapter.sections.push({ section, ...(await showSection(section, stage)) });
      });
    }
  }
  await t.test("docs/conformance.md is up to date", async () => {
    for (const [index, { sections }] of chapters.entries()) {
      assert.equal(shown[index]?.sections.length, sections.length, "every section was shown");
    }
    assert.doesNotMatch(
      writeLongForm(shown),
      /eyJ\w|svc_\w{8}|localhost:\d|127\.0\.0\.1:\d/,
      "everything secret is masked",
    );
    const document = writeTable(shown);
    assert.ok(document.split("\n").length <= mostLines);
    // PostgreSQL leaves gaps between the ids of tokens, which the long form shows.
    if (onPostgres) return;
    if (process.env.WRITE_DOCS === "1") await writeFile(path, document);
    assert.equal(
      await readFile(path, "utf8"),
      document,
      "docs/conformance.md is out of date: run npm run docs",
    );
  });
});
