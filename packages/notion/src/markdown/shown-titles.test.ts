import assert from "node:assert/strict";
import { test } from "node:test";
import { shownTitles, withTitles } from "../testing/texts.ts";

const idOf = (number: number) => `${String(number).padStart(8, "0")}-0000-4000-8000-000000000000`;
const url = (number: number) => `https://www.notion.so/${idOf(number).replaceAll("-", "")}`;
const titles = new Map([
  [idOf(1), "New *one*\nin [two] lines"],
  [idOf(2), ""],
  [idOf(3), "Same"],
]);
const written = String.raw`New \*one\* in \[two\] lines`;

for (const [name, markdown, shown, becomes] of [
  ["a mention", `a <mention-page url="${url(1)}">Old</mention-page> b`, ["Old"], written],
  ["a database", `<mention-database url="${url(1)}">Old</mention-database>`, ["Old"], written],
  [
    "a data source",
    `<mention-data-source url="collection://${idOf(1)}">O</mention-data-source>`,
    ["O"],
    written,
  ],
  ["a subpage", `\t<page url="${url(1)}" color="red">Old **and** so</page>`, ["Old **and** so"], written],
  ["a subdatabase", `<database url="${url(1)}" inline="false">Old</database>`, ["Old"], written],
  ["no title before", `<page url="${url(1)}"></page>`, ["Untitled"], written],
  ["no title now", `<page url="${url(2)}">Old</page>`, ["Old"], "Untitled"],
  ["an escaped title", String.raw`<page url="${url(1)}">A \*b\* \<c\></page>`, ["A *b* <c>"], written],
  [
    "a mention in a link",
    `[to <mention-page url="${url(1)}">Old</mention-page>](https://x)`,
    ["Old"],
    written,
  ],
  ["one in a caption", `![<mention-page url="${url(1)}">Old</mention-page>](https://x)`, ["Old"], written],
] as const)
  test(`SYNC-12: a text shows the title of now: ${name}`, () => {
    assert.deepEqual(
      shownTitles(markdown).map(({ title }) => title),
      shown,
    );
    const now = withTitles(markdown, titles);
    assert.equal(
      now,
      markdown
        .replace(/(<[^/>]*"[^>]*>).*(<\/(?:page|database|mention-))/, `$1${written}$2`)
        .replace(written, becomes),
    );
    assert.deepEqual(withTitles(now, titles), now);
  });

for (const [name, markdown] of [
  ["the same title", `<page url="${url(3)}"> Same </page> <page url="${url(3)}">**Same**</page>`],
  [
    "no title, shown as the provider does",
    `<page url="${url(2)}">Untitled</page> <page url="${url(2)}"></page>`,
  ],
  ["another page", `<page url="${url(4)}">Old</page>`],
  ["a tag without a text", `<mention-page url="${url(1)}"/> Old </mention-page>`],
  ["an author's alias", `<mention-page url="${url(1)}" alias="true">they</mention-page>`],
  ["a link", `[Old](${url(1)})`],
  ["a copy of a block", `<synced_block_reference url="${url(1)}#${idOf(9)}">Old</synced_block_reference>`],
  ["code", `\`<page url="${url(1)}">Old</page>\`\n\`\`\`\n<page url="${url(1)}">Old</page>\n\`\`\``],
  ["an escaped tag", `\\<page url="${url(1)}">Old</page>`],
  ["a tag that another one closes", `<page url="${url(1)}">Old</mention-page>`],
  ["a tag that never closes", `<page url="${url(1)}">Old`],
] as const)
  test(`SYNC-12: what is no other title stays: ${name}`, () => {
    assert.equal(withTitles(markdown, titles), markdown);
  });

test("SYNC-12: all titles of a text are replaced, and nothing else", () => {
  const textOf = (title: string) =>
    `# 𝕏 <mention-page url="${url(1)}">${title}</mention-page>, <page url="${url(4)}">stays</page>\n\n\t- <page url="${url(1)}">${title}</page> and <mention-page url="${url(1)}">${title}</mention-page>\n`;
  assert.equal(withTitles(textOf("Old"), titles), textOf(written));
  assert.deepEqual(shownTitles(textOf("Old")), [
    { id: idOf(1), title: "Old" },
    { id: idOf(4), title: "stays" },
  ]);
});
