import assert from "node:assert/strict";
import { test } from "node:test";
import { ReadingError } from "@clew/cli";
import { failureOf } from "./failure.ts";
import { CommandError } from "./installation.ts";

test("OPS-7: names in the message of a command that failed cannot control the terminal", () => {
  const message = 'The database has "Ev\u001b]0;title\u0007il\u009b2J".\nTry another one.';
  for (const error of [new ReadingError("usage", message), new CommandError(message)])
    assert.equal(failureOf(error).message, 'The database has "Evil".\nTry another one.');
});
