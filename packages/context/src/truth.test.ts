import assert from "node:assert/strict";
import { test } from "node:test";
import { anyListedPage, type ListedPage, type TrueLine } from "@clew/text/testing";
import fc from "fast-check";
import { gatherContext } from "./context.ts";
import { portOf } from "./testing/port-of.ts";

/** A part of a shown text: a line of the page, the beginning of one, or a sign that something is left out. */
type Shown =
  | { readonly kind: "line" | "beginning"; readonly at: number; readonly line: TrueLine }
  | { readonly kind: "gap" }
  | { readonly kind: "count"; readonly count: number; readonly all: number; readonly of: string };

/** Reads what is shown of a page line by line. Throws unless its lines are those of the page, in order. */
function read({ lines }: ListedPage, shown: readonly string[]): Shown[] {
  let next = 0;
  /** Tables may have equal headers: it is that of the row below. */
  const indexOf = (text: string, index: number) => {
    const first = lines.findIndex((line, at) => at >= next && line.text === text);
    if (!["header", "separator"].includes(lines[first]?.kind ?? "")) return first;
    const row = shown
      .slice(index + 1)
      .find((other) => lines.some(({ kind, text }) => kind === "row" && beginsWith(text, other)));
    const below = lines.findIndex(
      (line) => row !== undefined && line.kind === "row" && beginsWith(line.text, row),
    );
    return below < 0 ? first : lines.findLastIndex((line, at) => at < below && line.text === text);
  };
  return shown.flatMap((text, index): Shown[] => {
    const counted = /^\[(-?\d+) of (-?\d+) (items|rows)\]$/.exec(text);
    if (text === "") return [];
    if (text === "[…]") return [{ kind: "gap" }];
    if (counted !== null)
      return [{ kind: "count", count: Number(counted[1]), all: Number(counted[2]), of: counted[3] ?? "" }];
    const at = indexOf(text, index);
    const line = lines[at];
    if (line !== undefined) {
      next = at + 1;
      return [{ kind: "line", at, line }];
    }
    assert.match(text, / \[…\]$/, `a line of the page, or the beginning of one: ${text}`);
    const begun = lines.findIndex((each, at) => at >= next && beginsWith(each.text, text));
    const beginning = lines[begun];
    assert.ok(beginning, `the beginning of a line of the page: ${text}`);
    next = begun + 1;
    return [{ kind: "beginning", at: begun, line: beginning }];
  });
}

const cutSign = " […]";
const beginsWith = (text: string, shown: string) =>
  text === shown || (shown.endsWith(cutSign) && text.startsWith(shown.slice(0, -cutSign.length)));

/** A line that is shown, or its beginning. */
type ShownLine = Extract<Shown, { at: number }>;

const isLine = (part: Shown): part is ShownLine => "line" in part;
const isText = ({ kind }: TrueLine) => kind !== "heading";
const isLead = ({ kind }: TrueLine) => kind === "introduction" || kind === "header" || kind === "separator";

/** The number of items or rows of a list or table among these lines. */
const itemsIn = (lines: readonly TrueLine[], group: number | undefined) =>
  new Set(lines.flatMap((line) => (line.group === group && line.item !== null ? [line.item] : []))).size;

/** Checks each statement that a shown text makes about a page, by looking at all of its lines. */
function check({ lines }: ListedPage, parts: readonly Shown[]): void {
  const shown = parts.filter(isLine);
  const last = shown.at(-1);
  for (const [index, part] of parts.entries()) {
    const before = parts.slice(0, index).findLast(isLine);
    if (part.kind === "gap") {
      // Headings tell where the next passage stands, and have no sign between them.
      const after = parts.slice(index).find((each): each is ShownLine => isLine(each) && isText(each.line));
      const left = lines.slice((before?.at ?? -1) + 1, after?.at).filter(isText);
      assert.ok(left.length > 0, "a gap stands where something is left out");
    } else if (part.kind === "count") {
      const group = before?.line.group;
      assert.equal(part.all, itemsIn(lines, group), "as many as the page has");
      assert.equal(
        part.count,
        itemsIn(
          shown.map(({ line }) => line),
          group,
        ),
        "as many as are shown",
      );
      assert.ok(0 < part.count && part.count < part.all, "some and not all");
    } else {
      if (part.kind === "beginning")
        assert.ok(part === last || part.line.kind === "heading", "only the end is cut");
      checkPlace(part, shown, lines);
      checkBefore(part, parts, lines);
    }
  }
}

/** Checks that a line stands below what makes it true: its parents and its header. An introduction has what it introduces. */
function checkPlace(part: ShownLine, shown: readonly ShownLine[], lines: readonly TrueLine[]): void {
  const { line } = part;
  const index = shown.indexOf(part);
  const parent = line.parent === null ? undefined : lines[line.parent];
  assert.ok(
    parent === undefined || shown.slice(0, index).some((other) => other.line === parent),
    "below its parent",
  );
  if (line.kind === "introduction")
    assert.equal(shown[index + 1]?.line.group, line.group, "an introduction stands with what it introduces");
  if (line.kind !== "row") return;
  const [header, separator] = lines.filter(({ table }) => table === line.table);
  const above = shown.slice(0, index).filter((each) => each.line.table === line.table);
  assert.deepEqual([above[0]?.line, above[1]?.line], [header, separator], "a row stands below its header");
}

/** Checks that what is left out before a line has a sign: between rows, the count at their end. */
function checkBefore(part: ShownLine, parts: readonly Shown[], lines: readonly TrueLine[]): void {
  const { line, at } = part;
  const before = parts.slice(0, parts.indexOf(part)).findLast(isLine);
  const left = lines.slice(before === undefined ? 0 : before.at + 1, at).filter(isText);
  const isBelowHeadings = line.kind === "heading" && (before === undefined || before.line.kind === "heading");
  if (left.length === 0 || isBelowHeadings) return;
  const signs = parts.slice(before === undefined ? 0 : parts.indexOf(before) + 1, parts.indexOf(part));
  if (line.kind === "row" && before?.line.table === line.table)
    assert.ok(signs.length === 0 && left.every(({ table }) => table === line.table), "rows are left out");
  else assert.ok(signs.length > 0, `a sign before ${line.text}`);
}

/** Checks that each list and table that is shown in part has a count, and that a section that goes on has a sign. */
function checkEnds({ lines }: ListedPage, parts: readonly Shown[]): void {
  const shown = parts.filter(isLine);
  for (const group of new Set(shown.map(({ line }) => line.group))) {
    const isOwn = (line: TrueLine) => line.group === group && !isLead(line);
    const seen = shown.filter(({ line }) => isOwn(line));
    const end = seen.at(-1);
    if (end === undefined || lines.filter(isOwn).length === seen.length) continue;
    const some = itemsIn(
      seen.map(({ line }) => line),
      group,
    );
    const [next, afterGap] = parts.slice(parts.indexOf(end) + 1);
    if (some === itemsIn(lines, group))
      assert.equal(end.kind, "beginning", "a part of an item ends with a cut");
    else
      assert.equal((next?.kind === "gap" ? afterGap : next)?.kind, "count", "a part of a list has a count");
  }
  const last = shown.at(-1);
  const goesOn = lines
    .slice((last?.at ?? 0) + 1)
    .some((line) => isText(line) && line.section === last?.line.section);
  if (goesOn) assert.ok(last?.kind === "beginning" || parts.at(-1) !== last, "the end has a sign");
}

/** The lines within the fence of each page, by the number in its title. */
function fencedIn(markdown: string): Map<number, readonly string[]> {
  const pages = new Map<number, string[]>();
  let title: number | null = null;
  let fence: string | null = null;
  for (const line of markdown.split("\n")) {
    if (fence === null && line.startsWith("# Page ")) title = Number(line.slice("# Page ".length));
    else if (fence === null && /^~{3,}$/.test(line)) {
      fence = line;
      pages.set(title ?? -1, []);
    } else if (line === fence) fence = null;
    else if (fence !== null) pages.get(title ?? -1)?.push(line);
  }
  return pages;
}

const anyQuestion = fc
  .oneof(fc.tuple(anyListedPage()), fc.tuple(anyListedPage(), anyListedPage(1_000)))
  .chain((pages) =>
    fc.record({
      pages: fc.constant(pages),
      words: fc.array(fc.constantFrom("comets", "tails", "let", ...pages.flatMap(({ words }) => words)), {
        minLength: 1,
        maxLength: 4,
      }),
      maxChars: fc.oneof(fc.integer({ min: 1_000, max: 2_000 }), fc.integer({ min: 1_000, max: 12_000 })),
    }),
  );

test("GRAPH-22: what is shown of lists and tables is true: numbers, order, parents, headers, counts, and each gap has a sign", async () => {
  const seen = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(anyQuestion, async ({ pages, words, maxChars }) => {
      const { port } = portOf(pages.map(({ markdown }) => markdown));
      const question = { query: words.join(" "), also: null, about: null };
      const { markdown } = (await gatherContext(port, question)).pack({ maxChars });
      assert.ok(markdown.length <= maxChars);
      for (const [number, shown] of fencedIn(markdown)) {
        const page = pages[number];
        assert.ok(page);
        const parts = read(page, shown);
        check(page, parts);
        checkEnds(page, parts);
        for (const part of parts) {
          const kind = part.kind === "line" ? part.line.kind : part.kind;
          seen.set(kind, (seen.get(kind) ?? 0) + 1);
        }
      }
    }),
    { numRuns: 500 },
  );
  for (const kind of ["gap", "count", "beginning", "row", "item"]) assert.ok((seen.get(kind) ?? 0) > 0, kind);
});
