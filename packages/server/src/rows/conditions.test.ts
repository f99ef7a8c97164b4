import assert from "node:assert/strict";
import { test } from "node:test";
import type { ColumnType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { Column } from "@clew/provider";
import { ApiError } from "../model/api-error.ts";
import type { Json } from "../model/node.ts";
import { parseQueryTimeEitherWay } from "../model/query-time.ts";
import { readConditions } from "./conditions.ts";
import { matches } from "./matching.ts";

const now = Date.UTC(2026, 2, 10, 12);
const shared: NodeId = "00000000-0000-0000-0000-000000000001";
const hidden: NodeId = "00000000-0000-0000-0000-000000000002";
const pageOf = (text: string) => (text === "https://pages.example/1" ? shared : null);
const titleOf = (id: NodeId) => (id === shared ? "Orion, the Hunter" : null);

const column = (name: string, type: ColumnType = "text"): Column => ({ name, type, options: [] });
const read = (where: string, columns: readonly Column[]) =>
  readConditions([where], columns, { now, timeOf: parseQueryTimeEitherWay, pageOf })[0];

/** Whether a cell of a column `X` meets a condition, which is given without the column. */
function isMet(type: ColumnType, cell: Json, condition: string): boolean {
  const found = read(`X ${condition}`, [column("X", type)]);
  assert.ok(found);
  return matches({ properties: { X: cell }, unread: [] }, found, titleOf);
}

function fieldErrorsOf(where: readonly string[], columns: readonly Column[]): string[] {
  try {
    readConditions(where, columns, { now, timeOf: parseQueryTimeEitherWay, pageOf });
  } catch (error) {
    assert.ok(error instanceof ApiError);
    assert.equal(error.code, "invalid_request");
    return error.errors.map(({ path, message }) => `${path} ${message}`);
  }
  return [];
}

test("GRAPH-23: a condition begins with the longest name of a column that fits, in any case", () => {
  const columns = ["Due", "Due date", "due date (old)", "A = B", " Padded ", "Tag", "tag"].map((name) =>
    column(name),
  );
  const named = (where: string) => {
    const condition = read(where, columns);
    return [condition?.column, condition?.operator, condition?.operand.texts[0]];
  };
  assert.deepEqual(named("Due=x"), ["Due", "=", "x"]);
  assert.deepEqual(named("  DUE DATE  !=  X y "), ["Due date", "!=", "x y"]);
  assert.deepEqual(named("due date (old) ~ b"), ["due date (old)", "~", "b"]);
  assert.deepEqual(named("a = b = c"), ["A = B", "=", "c"]);
  assert.deepEqual(named("padded >= z"), [" Padded ", ">=", "z"]);
  assert.deepEqual(named("tag<=1"), ["tag", "<=", "1"]);
  assert.deepEqual(named("Tag<1"), ["Tag", "<", "1"]);
  assert.deepEqual(named("Due IS NOT EMPTY").slice(0, 2), ["Due", "is not empty"]);
  assert.deepEqual(named("Due is empty").slice(0, 2), ["Due", "is empty"]);
});

test("GRAPH-23: == is =, contains is ~, and quotes around a value or a column are dropped once", () => {
  const columns = [
    column("Kind", "select"),
    column("Size", "number"),
    column("Note"),
    column("Kin", "select"),
  ];
  const readAs = (where: string) => {
    const condition = read(where, columns);
    return [condition?.column, condition?.operator, condition?.operand.texts];
  };
  for (const value of [
    "red dwarf",
    '"red dwarf"',
    "'Red Dwarf'",
    "“red dwarf”",
    "‘red dwarf’",
    ' " red dwarf " ',
  ])
    for (const operator of ["=", "==", " = ", " == "])
      assert.deepEqual(readAs(`Kind${operator}${value}`), ["Kind", "=", ["red dwarf"]], value);
  for (const operator of ["~", "contains", "CONTAINS"])
    assert.deepEqual(readAs(`Kind ${operator} "dwarf"`), ["Kind", "~", ["dwarf"]]);
  assert.deepEqual(readAs('Kind contains"dwarf"'), ["Kind", "~", ["dwarf"]]);
  assert.match(fieldErrorsOf(["Kind containsdwarf"], columns)[0] ?? "", /needs an operator/);
  for (const name of ['"Kind"', "'kind'", "“KIND”"])
    assert.deepEqual(readAs(`${name} = a`), ["Kind", "=", ["a"]]);
  assert.equal(read('Size >= "5"', columns)?.operand.number, 5);

  const both = ['"a", b', "'a', \"b\"", "“a” ,'b'"];
  for (const list of both)
    assert.deepEqual(readAs(`Kind = ${list}`)[2], [list.toLowerCase().replaceAll(/[“”]/g, '"'), "a", "b"]);
  assert.deepEqual(readAs('Kind = "a, b", c')[2]?.slice(1), ["a, b", "c"]);
  assert.deepEqual(readAs('Kind = "a, b"')[2], ["a, b", "a", "b"]);

  assert.deepEqual(readAs('Note = ""quoted""')[2], ['"quoted"']);
  assert.deepEqual(readAs(`Note = '"quoted"'`)[2], ['"quoted"']);
  assert.deepEqual(readAs('Kind = ""quoted""')[2], ['"quoted"']);
  assert.deepEqual(readAs(`Kind = '"a"', b`)[2]?.slice(1), ['"a"', "b"]);
  for (const bare of ["'tis", 'a "b"', '"', '"a" b', "= b"])
    assert.deepEqual(readAs(`Note = ${bare}`)[2], [bare]);
  for (const empty of ['""', "''", '" "'])
    assert.match(fieldErrorsOf([`Kind = ${empty}`], columns)[0] ?? "", /needs a value/);
});

test("GRAPH-23: other signs and words for operators are taken, where they cannot belong to a value", () => {
  const columns = [
    { ...column("Kind", "status"), options: ["Open", "Not started"] },
    column("Size", "number"),
    column("Due", "date"),
    column("Done", "checkbox"),
    column("Note"),
  ];
  const readAs = (where: string) => {
    const condition = read(where, columns);
    return [condition?.operator, condition?.operand.texts[0]];
  };
  for (const [where, operator, value] of [
    ["Kind <> Open", "!=", "open"],
    ["Kind ≠ 'Open'", "!=", "open"],
    ["Kind is Open", "=", "open"],
    ['Kind is "Open"', "=", "open"],
    ["Kind is not open", "!=", "open"],
    ["Kind is not started", "=", "not started"],
    ["Kind is not Not started", "!=", "not started"],
    ["Kind: Open", "=", "open"],
    ["Kind equals Open", "=", "open"],
    ["Kind does not equal Open", "!=", "open"],
    ["Size =< 5", "<=", "5"],
    ["Size ≥ 5", ">=", "5"],
    ["Size is not 5", "!=", "5"],
    ["Size is less than 5", "<", "5"],
    ["Size greater than or equal to 5", ">=", "5"],
    ["Size at most 5", "<=", "5"],
    ["Due is before 2026-01-31", "<", "2026-01-31"],
    ["Due on or after 7d", ">=", "7d"],
    ["Done is yes", "=", "yes"],
    ["Note is before dawn", "=", "before dawn"],
    ["Note is empty", "is empty", ""],
  ])
    assert.deepEqual(readAs(where ?? ""), [operator, value], where);
  for (const doubtful of [
    "Kind is not done",
    "Note is not here",
    "Note before dawn",
    "Kind isOpen",
    "Note is",
  ])
    assert.match(fieldErrorsOf([doubtful], columns)[0] ?? "", /needs an operator/, doubtful);
  assert.ok(isMet("checkbox", true, "= yes") && isMet("checkbox", false, "is no"));
  assert.match(fieldErrorsOf(["Size < 1 OR Size > 5"], columns)[0] ?? "", /not a number; .*joined by OR/);
});

test("GRAPH-23: values that the schema lacks as options are noted for = with select, status and multi_select alone", () => {
  const noted = (type: ColumnType, condition: string) =>
    read(`X ${condition}`, [{ name: "X", type, options: ["Open", "Doing", "Überfällig", "a, b"] }])?.unlisted;
  for (const type of ["select", "status", "multi_select"] as const) {
    for (const known of ["open", "OPEN, doing", "uberfallig", "A, b", '"a, b", open'])
      assert.equal(noted(type, `= ${known}`), undefined, known);
    assert.deepEqual(noted(type, "= Opened"), { whole: "Opened", values: ["Opened"] });
    assert.deepEqual(noted(type, "= open, 'Closed'"), { whole: "open, 'Closed'", values: ["Closed"] });
    for (const other of ["!= Opened", "~ Opened", "> Opened", "is empty"])
      assert.equal(noted(type, other), undefined);
  }
  for (const type of ["people", "relation", "text", "created_by", "formula"] as const)
    assert.equal(noted(type, "= Opened"), undefined, type);
});

test("GRAPH-23: a list of many quotes is read in one pass", () => {
  const list = "“a,".repeat(200_000);
  assert.equal(read(`X = ${list}`, [column("X", "select")])?.operand.texts.length, 2);
});

test("GRAPH-23: every fault of every condition names the columns or the type", () => {
  const columns = [column("Size", "number"), column("Due", "date"), column("Done", "checkbox")];
  const errors = fieldErrorsOf(
    [
      "Sice = 1",
      "",
      "Size",
      "Size big",
      "Size is empty or so",
      "Size =",
      "Size = 0x10",
      "Size ~ 1",
      "Due < soon",
      "Due ~ 2026",
      "Done = maybe",
      "Done > false",
    ],
    columns,
  );
  assert.equal(errors.length, 12);
  assert.ok(errors.every((fault) => fault.startsWith("?where ")));
  for (const fault of errors.slice(0, 2)) assert.match(fault, /"Size", "Due", "Done"/);
  for (const fault of errors.slice(2, 5)) assert.match(fault, /operator.*"Size".*is not empty/);
  assert.match(errors[5] ?? "", /value.*is empty/);
  for (const fault of errors.slice(6, 8)) assert.match(fault, /"Size", a number column/);
  for (const fault of errors.slice(8, 10)) assert.match(fault, /"Due", a date column/);
  for (const fault of errors.slice(10)) assert.match(fault, /"Done", a checkbox column/);
  assert.match(fieldErrorsOf(["X = 1"], [])[0] ?? "", /no known columns/);
  const many = Array.from({ length: 500 }, (_, index) => column(`${"x".repeat(2000)}${index}`));
  assert.ok((fieldErrorsOf(["none = 1"], many)[0] ?? "").length < 15_000);
});

test("GRAPH-23: numbers are compared as numbers", () => {
  assert.ok(isMet("number", 10, "> 9"));
  assert.ok(isMet("number", -0.5, "<= -.5"));
  assert.ok(isMet("number", 1000, "= 1e3"));
  assert.ok(isMet("number", 0, "is not empty"));
  assert.ok(!isMet("number", 1, "!= 1.0"));
});

test("GRAPH-23: dates are compared with times, a range by its start, also ahead of now", () => {
  const range = { start: "2026-03-12", end: "2026-05-01" };
  assert.ok(isMet("date", range, "= 2026-03-12"));
  assert.ok(isMet("date", range, "< +2d"));
  assert.ok(!isMet("date", range, "< +1d"));
  assert.ok(isMet("date", range, "> 24h"));
  assert.ok(isMet("date", { start: "2026-03-10T14:00:00.000+02:00", end: null }, "= 2026-03-10T12:00:00Z"));
  assert.ok(isMet("date", { start: "2026-03-10T12:00:00", end: null }, "= 2026-03-10T12:00:00Z"));
  assert.ok(isMet("created_time", "2026-03-01T10:00:00.000Z", "<= 2026-03-01T10:00:00Z"));
});

test("GRAPH-23: a checkbox is true or false", () => {
  assert.ok(isMet("checkbox", false, "= false"));
  assert.ok(isMet("checkbox", true, "!= FALSE"));
  assert.ok(isMet("checkbox", false, "is not empty"));
});

test("GRAPH-23: options and people are compared by name, and a comma list means any of them", () => {
  assert.ok(isMet("select", "In progress", "= open, in PROGRESS"));
  assert.ok(isMet("multi_select", ["Red", "Blue"], "= green,blue"));
  assert.ok(!isMet("multi_select", ["Red", "Blue"], "!= green, blue"));
  assert.ok(isMet("multi_select", ["Red"], "!= green, blue"));
  assert.ok(isMet("people", ["Zoë Ångström"], "= zoe angstrom"));
  assert.ok(isMet("people", ["Smith, Anna"], "= Smith, Anna"));
  assert.ok(isMet("status", "Done", "~ on"));
  assert.ok(isMet("select", "Beta", "> alpha"));
});

test("GRAPH-23: relations are compared by title, id or URL", () => {
  assert.ok(isMet("relation", [hidden, shared], "= orion, the hunter"));
  for (const value of [shared, shared.replaceAll("-", ""), "https://pages.example/1"])
    assert.ok(isMet("relation", [hidden, shared], `= nothing,${value}`), value);
  assert.ok(isMet("relation", [hidden], `= ${hidden}`));
  assert.ok(isMet("relation", [hidden], "!= Orion"));
  assert.ok(isMet("relation", [hidden], "is not empty"));
  assert.ok(isMet("relation", [shared], "~ HUNT"));
  assert.ok(!isMet("relation", [hidden], "~ 0"));
});

test("GRAPH-23: results of formulas and rollups are compared by what they are", () => {
  assert.ok(isMet("formula", 7, "> 6"));
  assert.ok(isMet("formula", true, "= true"));
  assert.ok(isMet("formula", { start: "2026-03-12", end: null }, "< +7d"));
  assert.ok(isMet("formula", "7 days", "~ DAYS"));
  assert.ok(!isMet("formula", 7, "= seven"));
  assert.ok(isMet("formula", 7, "!= seven"));
  assert.ok(isMet("rollup", [["a"], [3, null]], "= 3"));
  assert.ok(isMet("rollup", [[], null], "is empty"));
});

test("GRAPH-23: all else is compared as folded text, whatever is stored", () => {
  assert.ok(isMet("title", "Über  uns", "= uber uns"));
  assert.ok(isMet("text", "a, b", "= A, B"));
  assert.ok(!isMet("text", "a", "= a, b"));
  assert.ok(isMet("url", "https://x.example/?a=1", "~ ?A=1"));
  assert.ok(isMet("files", ["one.pdf", "two.pdf"], "= TWO.pdf"));
  assert.ok(isMet("unique_id", "TASK-7", "= task-7"));
  assert.ok(isMet("text", 12, "= 12"));
  assert.ok(isMet("text", { start: "2026-01-01", end: "2026-01-02" }, "= 2026-01-01/2026-01-02"));
});

test("GRAPH-23: an empty value meets only != and is empty", () => {
  for (const type of [
    "text",
    "number",
    "date",
    "checkbox",
    "select",
    "people",
    "relation",
    "formula",
  ] as const) {
    const value = { number: "1", date: "2026-01-01", checkbox: "false" }[type as "number"] ?? "a";
    for (const cell of [null, "", [], [null]]) {
      assert.ok(isMet(type, cell, "is empty"), type);
      assert.ok(isMet(type, cell, `!= ${value}`), type);
      assert.ok(!isMet(type, cell, `= ${value}`), type);
      assert.ok(!isMet(type, cell, "is not empty"), type);
      if (type !== "checkbox") assert.ok(!isMet(type, cell, `<= ${value}`), type);
    }
  }
});
