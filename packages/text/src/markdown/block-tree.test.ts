import assert from "node:assert/strict";
import { test } from "node:test";
import { blockTree, type TreeBlock } from "./block-tree.ts";

/** Seconds of computing since, however busy the machine is. In quadratic time these texts take far longer. */
function cpuSeconds(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}

/** Blocks in short: the kind, what is in it, and its children. */
const shown = (blocks: readonly TreeBlock[]): unknown[] =>
  blocks.map((block) => {
    const { line, text, rows, children } = { line: undefined, text: undefined, rows: undefined, ...block };
    const own = line ?? text ?? rows ?? "";
    return children.length === 0 ? [block.kind, own] : [block.kind, own, shown(children)];
  });

test("a line is a block, and a tab makes it a child", () => {
  assert.deepEqual(shown(blockTree("# A\ntext\n- b\n\tc\n\t\t- d\n- e\n1. f\n> g\n---\n- [x] h")), [
    ["heading", "A"],
    ["paragraph", "text"],
    ["bullet", "b", [["paragraph", "c", [["bullet", "d"]]]]],
    ["bullet", "e"],
    ["number", "f"],
    ["quote", "g"],
    ["divider", ""],
    ["todo", "h"],
  ]);
});

test("GRAPH-22: numbers are those of the text, of tasks too", () => {
  const numbers = blockTree("1. a\n```\nb\n```\n2. c\n7) d\n3. [x] e\n- [ ] f").map((block) =>
    "number" in block ? block.number : block.kind,
  );
  assert.deepEqual(numbers, [1, "code", 2, 7, 3, null]);
});

test("toggles, callouts and columns hold what is between their tags", () => {
  const text = [
    '<details color="red">',
    "<summary>More</summary>",
    "\tinside",
    "</details>",
    '<callout icon="💡">',
    "\tidea",
    "</callout>",
    "<columns>",
    "\t<column>",
    "\t\tleft",
    "\t</column>",
    "</columns>",
    '::: callout {icon="🔥"}',
    "hot",
    ":::",
    "after",
  ].join("\n");
  assert.deepEqual(shown(blockTree(text)), [
    ["toggle", "More", [["paragraph", "inside"]]],
    ["callout", "", [["paragraph", "idea"]]],
    ["columns", "", [["group", "", [["paragraph", "left"]]]]],
    ["callout", "", [["paragraph", "hot"]]],
    ["paragraph", "after"],
  ]);
});

test("tables are read in both forms", () => {
  const rows = [
    ["a", "b"],
    ["1", "2|3"],
  ];
  const [tags] = blockTree(
    '<table header-row="true">\n<tr>\n<td>a</td>\n<td>b</td>\n</tr>\n<tr><td>1</td><td>2|3</td></tr>\n</table>',
  );
  assert.deepEqual(tags, { kind: "table", hasHeader: true, rows, offset: 0, children: [] });
  const [pipes] = blockTree("| a | b |\n| --- | --- |\n| 1 | 2\\|3 |");
  assert.deepEqual(pipes, {
    kind: "table",
    hasHeader: true,
    rows: [rows[0], ["1", "2\\|3"]],
    offset: 0,
    children: [],
  });
});

test("code and equations are literal, also where their end is missing", () => {
  assert.deepEqual(shown(blockTree("```js\n<details>\n```\n$$\nx\n$$\n~~~\nopen")), [
    ["code", "<details>"],
    ["equation", "x"],
    ["code", "open"],
  ]);
});

test("a block knows where it starts, in code points", () => {
  assert.deepEqual(
    blockTree("🧵🧵\n## B", 100).map(({ offset }) => offset),
    [100, 103],
  );
});

test("tags of blocks that are not known vanish; their content stays", () => {
  assert.deepEqual(
    shown(
      blockTree(
        '<table_of_contents/>\n<empty-block/>\n<new-thing>\nin it\n</new-thing>\n<page url="u">P</page>',
      ),
    ),
    [
      ["paragraph", "in it"],
      ["paragraph", '<page url="u">P</page>'],
    ],
  );
});

test("a hostile text is read in linear time and nests little", () => {
  const deep = Array.from({ length: 1_000 }, (_, index) => `${"\t".repeat(index)}x`).join("\n");
  const depth = (blocks: readonly TreeBlock[]): number =>
    Math.max(0, ...blocks.map((each) => 1 + depth(each.children)));
  assert.ok(depth(blockTree(deep)) <= 11);
  assert.ok(depth(blockTree("<details>\n".repeat(50_000))) <= 11);
  const before = process.threadCpuUsage();
  blockTree("<callout>\n</details>\n".repeat(40_000));
  blockTree(`| ${"a | ".repeat(100_000)}`);
  blockTree(`</td>${" ".repeat(500_000)}x`);
  assert.ok(cpuSeconds(before) < 10);
});
