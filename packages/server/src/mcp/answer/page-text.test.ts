import assert from "node:assert/strict";
import { test } from "node:test";
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
