import assert from "node:assert/strict";
import { test } from "node:test";
import { type Hole, judge } from "./holes.ts";

const page = `---
title: Hours
---
The office opens at seven.

## Days

It is open [every day](days.md).

There is coffee.

Not on Sundays.

Nobody answers by telephone.
`;

const hole: Hole = {
  id: "hours",
  kind: "exception",
  question: "When is the office open?",
  max_tokens: 500,
  file: "hours.md",
  all: ["every day", "Not on Sundays"],
};

const answer = (...lines: string[]) =>
  `Passages:\n# Other\n[…]\n# Hours\n${lines.join("\n\n")}\n# Another\n[…]\n`;
const outcomeOf = (lines: string[], changed: Partial<Hole> = {}) =>
  judge({ ...hole, ...changed }, page, answer(...lines)).outcome;

test("an answer with all parts is whole, and one with none of them shows nothing", () => {
  assert.equal(outcomeOf(["It is open every day.", "Not on Sundays."]), "whole");
  assert.equal(outcomeOf(["There is coffee."]), "not shown");
});

test("a part may be missing only where a mark stands", () => {
  assert.equal(outcomeOf(["It is open every day.", "[…]", "Nobody answers by telephone."]), "marked");
  assert.equal(outcomeOf(["It is open every day.", "There is coffee.", "[…]"]), "marked");
  assert.equal(outcomeOf(["It is open every day.", "There is coffee."]), "false answer");
  assert.equal(outcomeOf(["It is open every day.", "[…]", "There is coffee."]), "false answer");
  assert.equal(outcomeOf(["It is open every day.", "Nobody answers by telephone.", "[…]"]), "false answer");
  assert.equal(outcomeOf(["[…]", "It is open every day."]), "false answer");
});

test("the number of rows marks what is missing of a table, and of nothing else", () => {
  const lines = ["It is open every day.", "[2 of 3 rows]", "There is coffee."];
  assert.equal(outcomeOf(lines, { kind: "table" }), "marked");
  assert.equal(outcomeOf(lines), "false answer");
});

test("the headings of a passage stand above it, and no other comes between", () => {
  const headings = { below: ["Version 2", "Limits"], not_below: ["Version 1", "Version 3"] };
  const shown = ["It is open every day.", "Not on Sundays."];
  assert.equal(outcomeOf(["## Version 1", "## Version 2", "### Limits", ...shown], headings), "whole");
  assert.equal(outcomeOf(["## Version 2", ...shown], headings), "false answer");
  assert.equal(outcomeOf(["## Version 1", "### Limits", ...shown], headings), "false answer");
  assert.equal(
    outcomeOf(["## Version 2", "### Limits", "## Version 3", "### Limits", ...shown], headings),
    "false answer",
  );
});
