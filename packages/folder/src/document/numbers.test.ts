import assert from "node:assert/strict";
import { test } from "node:test";
import { readMarkdownFile } from "../markdown.ts";

const linesOf = (body: string, ending = "") => readMarkdownFile(body + ending, "").split("\n");

test("GRAPH-22: an item has the number that its file gives it, whatever stands between the items", () => {
  const steps = [
    "1. Set the project:",
    "```\nproject = a\n```",
    "2. Create the bucket:\n\n   - for the texts\n   - for the index\n\n     4. small\n     1. smaller",
    "A word between.",
    "3) Export the name:",
    "![](https://a.example/b.png)",
    "12. Start it.\n12. Look at it.",
    "1) Begin again.",
    "0. Or never.",
    "5) [x] done\n5) [ ] to do",
  ];
  const numbered = linesOf(steps.join("\n\n")).filter((line) => /^\t*(?:\d|- )/.test(line));
  assert.deepEqual(numbered, [
    "1. Set the project:",
    "2. Create the bucket:",
    "\t- for the texts",
    "\t- for the index",
    "\t\t4. small",
    "\t\t5. smaller",
    "3. Export the name:",
    "12. Start it.",
    "13. Look at it.",
    "1. Begin again.",
    "0. Or never.",
    "5. [x] done",
    "6. [ ] to do",
  ]);
});

test("GRAPH-22: HTML's lists and the steps of components keep their numbers too", () => {
  const list = (attributes: string, items: readonly string[]) =>
    linesOf(`<ol${attributes}>\n${items.join("\n")}\n</ol>`);
  const items = ["<li>a</li>", "<li>b</li>", "<li>c</li>"];
  assert.deepEqual(list("", items), ["1. a", "2. b", "3. c"]);
  assert.deepEqual(list(' start="4"', items), ["4. a", "5. b", "6. c"]);
  assert.deepEqual(list(" reversed", items), ["3. a", "2. b", "1. c"]);
  assert.deepEqual(list(' start="-1"', ['<li value="7">a</li>', "<li>b</li>"]), ["7. a", "8. b"]);
  assert.deepEqual(
    linesOf('<Steps>\n<Step title="A">\none\n</Step>\n\nBetween\n\n<Step title="B">\ntwo\n</Step>\n</Steps>'),
    ["1. **A**", "\tone", "Between", "2. **B**", "\ttwo"],
  );
});
