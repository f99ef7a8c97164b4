import assert from "node:assert/strict";
import { test } from "node:test";
import { plainLine } from "./terminal-log.ts";

test("ERR-4: no text of the log controls the terminal that shows it", () => {
  const hostile = "A\u001b[31mB\u009b2J\u001b]0;C\u0007\u202eD\rE";
  const line = { level: 30, msg: hostile, user_agent: hostile, err: { stack: `${hostile}\n    at F` } };
  const shown = JSON.parse(plainLine(`${JSON.stringify(line)}\n`));
  const texts = [shown.msg, shown.user_agent, ...shown.err.stack.split("\n")];
  for (const text of texts) assert.doesNotMatch(text, /[\p{Cc}\u202e]/u);
  assert.match(shown.msg, /^A \[31mB 2J \]0;C .*D E$/);
  assert.equal(shown.err.stack.split("\n")[1], "    at F");
  assert.equal(shown.level, 30);
});
