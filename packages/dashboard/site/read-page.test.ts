import assert from "node:assert/strict";
import { test } from "node:test";
import { readPage, searchSectionsOf } from "./read-page.ts";

const page = readPage(
  [
    "# A guide to `clew`",
    "",
    "First words,",
    "wrapped. ![The map](pictures/map.webp)",
    "",
    "## What it does, and how!",
    "",
    "<!-- not shown -->",
    "1. one [link](other.md#there)",
    "   continued",
    "",
    "   ```sh",
    "   # no heading",
    "   ```",
    "",
    "### What it does, and how!",
    "",
    "| a | b |",
    "|---|---|",
    "| `x\\|y` | ![Table](pictures/t.webp) |",
  ].join("\n"),
);

test("a page has its title, and headings with the names that GitHub gives them", () => {
  assert.equal(page.title, "A guide to clew");
  assert.deepEqual(
    [...page.headings.values()].map(({ level, anchor }) => [level, anchor]),
    [
      [2, "what-it-does-and-how"],
      [3, "what-it-does-and-how-1"],
    ],
  );
});

test("wrapped lines are one block, comments vanish, and pictures are links that the page shows as pictures", () => {
  const [first, heading, list, , table] = page.blocks;
  assert.equal(
    first?.kind === "paragraph" && first.line,
    "First words, wrapped. [The map](pictures/map.webp)",
  );
  assert.equal(heading?.kind, "heading");
  assert.equal(list?.kind === "number" && list.line, "one [link](other.md#there) continued");
  assert.deepEqual(
    list?.children.map((child) => child.kind === "code" && child.text),
    ["# no heading"],
  );
  assert.deepEqual(table?.kind === "table" && table.rows, [
    ["a", "b"],
    ["`x|y`", "[Table](pictures/t.webp)"],
  ]);
});

test("search knows a part for each heading, with the text below it", () => {
  assert.deepEqual(
    searchSectionsOf(page, "guide").map(({ heading, href, text }) => [heading, href, text]),
    [
      ["", "guide", "First words, wrapped. The map"],
      ["What it does, and how!", "guide#what-it-does-and-how", "one link continued # no heading"],
      ["What it does, and how!", "guide#what-it-does-and-how-1", "a b x|y Table"],
    ],
  );
});

test("a file without a title is refused", () => {
  assert.throws(() => readPage("Only words.\n"), /no title/);
});
