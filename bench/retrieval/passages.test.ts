import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { type Passage, writePassages } from "./passages.ts";

/** The texts of the pages, without front matter, and their titles. */
async function written(passages: readonly Passage[]) {
  const folder = await mkdtemp(join(tmpdir(), "clew-passages-"));
  try {
    await writePassages(folder, passages);
    const pages = passages.map((_, index) => readFile(join(folder, `p${index}.md`), "utf8"));
    return (await Promise.all(pages)).map((page) => ({
      title: /^title: (.*)$/m.exec(page)?.[1],
      text: page.split("---\n").at(-1)?.trim(),
    }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

const textOf = async (text: string, ...titles: string[]) => {
  const [page] = await written([{ title: "Own", text }, ...titles.map((title) => ({ title, text: "" }))]);
  return page?.text;
};

test("the first mention of each other title is a link", async () => {
  assert.equal(
    await textOf("Oslo, Bergen and Oslo", "Oslo", "Bergen"),
    "[Oslo](p1.md), [Bergen](p2.md) and Oslo",
  );
});

test("the longest title is meant, and whole words alone", async () => {
  assert.equal(await textOf("New York City", "New York", "York", "New York City"), "[New York City](p3.md)");
  assert.equal(await textOf("Osloer", "Oslo"), "Osloer");
});

test("short names, names in small letters and the page's own title are no links", async () => {
  assert.equal(await textOf("Own words: Pi, water", "Own", "Pi", "water"), "Own words: Pi, water");
});

test("a name without parentheses is a link if one page alone has it", async () => {
  assert.equal(await textOf("in Alien", "Alien (film)"), "in [Alien](p1.md)");
  assert.equal(await textOf("in Alien", "Alien (film)", "Alien (novel)"), "in Alien");
  assert.equal(await textOf("in Alien", "Alien (film)", "Alien"), "in [Alien](p2.md)");
});

test("a title that occurs again gets a number, and mentions mean the first", async () => {
  const pages = await written([
    { title: "Oslo", text: "1 * 2" },
    { title: "Oslo", text: "" },
    { title: "Norway", text: "Oslo" },
  ]);
  assert.deepEqual(
    pages.map(({ title }) => title),
    ['"Oslo"', '"Oslo (2)"', '"Norway"'],
  );
  assert.equal(pages[0]?.text, "1 \\* 2");
  assert.equal(pages[2]?.text, "[Oslo](p0.md)");
});
