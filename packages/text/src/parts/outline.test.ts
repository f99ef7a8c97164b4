import assert from "node:assert/strict";
import { test } from "node:test";
import { outlineOf } from "./outline.ts";

test("GRAPH-5: the outline has the headings with their offsets, and none from code", () => {
  const markdown = '# 🚀 A\ntext\n```\n# no\n```\n## *B* {toggle="true"}\n\t### C\n#hash\n# ';
  const outline = outlineOf(markdown);
  assert.deepEqual(
    outline.map(({ level, text }) => [level, text]),
    [
      [1, "🚀 A"],
      [2, "B"],
      [3, "C"],
    ],
  );
  assert.deepEqual(
    outline.map(({ offset }) => [...markdown].slice(offset, offset + 4).join("")),
    ["# 🚀 ", "## *", "\t###"],
  );
});
