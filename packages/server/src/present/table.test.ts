import assert from "node:assert/strict";
import { test } from "node:test";
import { cpuSeconds } from "../model/testing/cpu-seconds.ts";
import { presentCsv, presentMarkdownTable } from "./table.ts";

const id = "00000000-0000-0000-0000-000000000001";

const table = [
  ["id", "Name", "Tags", "Due", "Size", "Page", "Done"],
  [id, "a,b", ["x", "y"], { start: "2026-01-01", end: "2026-01-03" }, -1.5, [{ id, title: "Orion" }], true],
  [id, 'say "hi"\nagain', [], { start: "2026-01-01", end: null }, null, [{ id, title: null }], false],
];

test("GRAPH-23: CSV follows RFC 4180", () => {
  assert.equal(
    presentCsv(table),
    [
      "id,Name,Tags,Due,Size,Page,Done",
      `${id},"a,b","x, y",2026-01-01/2026-01-03,-1.5,Orion,true`,
      `${id},"say ""hi""\nagain",,2026-01-01,,${id},false`,
      "",
    ].join("\r\n"),
  );
});

test("GRAPH-23: a text that a spreadsheet would run gets an apostrophe, and a number does not", () => {
  const cells = ["=1+1", "+49 30", "-x", "@cmd", "'=1", "a=1", -5];
  assert.equal(presentCsv([cells]), "'=1+1,'+49 30,'-x,'@cmd,''=1,a=1,-5\r\n");
});

test("GRAPH-23: a row of a Markdown table is a line, whatever its cells hold", () => {
  assert.equal(
    presentMarkdownTable([
      ["id", "a|b"],
      [id, "one | two\\\n\r\n three <b>"],
      [id, null],
    ]),
    `| id | a\\|b |\n| --- | --- |\n| ${id} | one \\| two\\\\<br>three \\<b> |\n| ${id} |  |\n`,
  );
  assert.equal(presentMarkdownTable([["id"]]), "| id |\n| --- |\n");
});

test("LIM-3: a cell with a long run of spaces is presented in linear time", () => {
  const cell = `a${" ".repeat(200_000)}b`;
  const before = process.threadCpuUsage();
  assert.ok(presentMarkdownTable([["c"], [cell]]).includes(cell));
  assert.ok(cpuSeconds(before) < 5, `${cpuSeconds(before)} s`);
});
