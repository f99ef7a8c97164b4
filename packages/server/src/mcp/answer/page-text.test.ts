import assert from "node:assert/strict";
import { test } from "node:test";
import { anyListedPage, type ListedPage, type TrueLine } from "@clew/text/testing";
import fc from "fast-check";
import { cpuSeconds } from "../../model/testing/cpu-seconds.ts";
import { shortLinks, shownFrom } from "./page-text.ts";

test("LIM-3: what is shown of a line of megabytes costs as much as what is shown", () => {
  const line = "\u0627\u200c".repeat(2_000_000);
  // It loads the table of tokens.
  shownFrom("a", 0, 4_000);
  const before = process.threadCpuUsage();
  const { markdown, end } = shownFrom(line, 0, 4_000);
  assert.ok(markdown.length > 1_000 && end === markdown.length);
  assert.ok(cpuSeconds(before) < 1, `${cpuSeconds(before)} s`);
});

test("LIM-3: addresses that end in no id are looked at once", () => {
  const text = "http://".repeat(20_000);
  const before = process.threadCpuUsage();
  assert.equal(shortLinks([], text), text);
  assert.ok(cpuSeconds(before) < 3, `${cpuSeconds(before)} s`);
});

/** A line as a reader compares it: the dashes below a header may be narrow. */
const bare = (text: string) => text.replaceAll(/ *(---) */g, "$1");

/**
 * Checks a part of a page by looking at all of its lines: none is left out within it, and each row stands below the header
 * of its table, if that has one. Returns the last line.
 */
function check({ lines }: ListedPage, markdown: string): TrueLine | undefined {
  const texts = markdown.split("\n").filter((text) => text.trim() !== "");
  // Headers are repeated, and the ends of code are alike.
  const known = texts.map((text) =>
    lines.find((line) => line.text === text && /x\w{4}/.test(text) && line.kind !== "header"),
  );
  let last: TrueLine | undefined;
  for (const [index, text] of texts.entries()) {
    const line = known[index];
    const isAlike =
      /^\t*(?:```|[|\s-]+)$/.test(text) || lines.some((each) => each.kind === "header" && each.text === text);
    assert.ok(line !== undefined || isAlike, `a line of the page: ${text}`);
    if (line === undefined) continue;
    const left = last === undefined ? [] : lines.slice(lines.indexOf(last) + 1, lines.indexOf(line));
    assert.ok(last === undefined || lines.indexOf(last) < lines.indexOf(line), `${text}: in order`);
    assert.ok(
      left.every(({ kind, text }) => kind === "header" || kind === "separator" || text.trim() === "```"),
      `${text}: after all before it`,
    );
    last = line;
    const [header, dashes] = lines.filter(({ table }) => table === line.table);
    if (line.kind !== "row" || header === undefined || dashes === undefined || !/x\w{4}/.test(header.text))
      continue;
    const isOther = (each: TrueLine | undefined) => each?.kind !== "row" || each.table !== line.table;
    const above = known.slice(0, index).findLastIndex(isOther);
    assert.deepEqual(
      texts.slice(above - 1, above + 1).map(bare),
      [bare(header.text), bare(dashes.text)],
      `${text}: below its header`,
    );
  }
  return last;
}

test("GRAPH-22: a page that is read in parts has all of its lines, with their numbers, and each row below its header", () => {
  let parts = 0;
  fc.assert(
    fc.property(
      anyListedPage(),
      fc.integer({ min: 1_100, max: 3_000 }),
      fc.nat(),
      (page, maxTokens, from) => {
        const starts = [0, page.markdown.indexOf("\n", from % page.markdown.length) + 1];
        for (const first of starts) {
          let last: TrueLine | undefined;
          for (let start = first; start < page.markdown.length; parts += 1) {
            const { markdown, end } = shownFrom(page.markdown, start, maxTokens);
            assert.ok(end > start, "reading goes on");
            last = check(page, markdown) ?? last;
            start = end;
          }
          const end = page.lines.findLast(({ kind, text }) => kind !== "separator" && text.trim() !== "```");
          assert.ok(last === undefined || last === end);
        }
      },
    ),
    { numRuns: 60 },
  );
  assert.ok(parts > 100, `${parts} parts`);
});
