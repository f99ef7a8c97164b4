import assert from "node:assert/strict";
import { test } from "node:test";
import { tableText } from "./output.ts";
import { formatBytes, table, widthOf } from "./table.ts";

test("columns are as wide as their widest cell", () => {
  assert.deepEqual(
    table([
      { id: "1", name: "agent" },
      { id: "200", name: "é" },
    ]),
    ["id   name", "1    agent", "200  é"],
  );
  assert.deepEqual(table([]), []);
});

test("columns are aligned where signs take two columns of a terminal, or none", () => {
  const titles = ["冬の大三角", "Ｍ４５", "견우성", "ｶﾅ", "🎈", "☄️", "é", "e\u0301"];
  const lines = table(titles.map((title) => ({ title, type: "page" })));
  assert.deepEqual(lines, [
    "title       type",
    "冬の大三角  page",
    "Ｍ４５      page",
    "견우성      page",
    "ｶﾅ          page",
    "🎈          page",
    "☄️          page",
    "é           page",
    "e\u0301           page",
  ]);
  const cut = tableText([{ title: "冬の大三角".repeat(9), type: "page" }], "title", 30);
  assert.deepEqual(cut.split("\n").slice(0, 2).map(widthOf), [29, 29]);
});

test("a name cannot send control sequences to the terminal", () => {
  const [, line = ""] = table([{ name: "\u001b[31mred\u001b[0m\u0007 \u009b2Jx\r\ny" }]);
  assert.doesNotMatch(line, /\p{Cc}/u);
});

test("TOK-3: an invisible character in a name is escaped", () => {
  const [, line] = table([{ name: "gnp.\u202eexe", owner: "Zoë\u200b \u2066x\u2069 👩‍👩‍👧" }]);
  assert.equal(line, "gnp.<U+202E>exe  Zoë<U+200B> <U+2066>x<U+2069> 👩‍👩‍👧");
});

test("bytes are shown in the unit that keeps them below a thousand", () => {
  const shown = [0, 999, 1000, 9_949, 9_950, 999_499, 999_500, 6_340_000_000, 2e15].map(formatBytes);
  assert.deepEqual(shown, [
    "0 B",
    "999 B",
    "1.0 kB",
    "9.9 kB",
    "10 kB",
    "999 kB",
    "1.0 MB",
    "6.3 GB",
    "2000 TB",
  ]);
});
