import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";
import { share } from "@clew/stand-in/testing/share";
import { onPostgres } from "../packages/server/src/store/testing/location.ts";
import { programs } from "../scripts/programs.ts";
import { root } from "../scripts/test-files.ts";

const execute = promisify(execFile);

/*
 * Benches run when a figure is needed, perhaps months after a change broke them. Each with `trial` has a test, of which a
 * run of the tests draws one.
 */
const trials = Object.entries(programs.bench ?? {}).flatMap(([name, { trial, ...program }]) =>
  trial === undefined ? [] : [{ name, trial, ...program }],
);

for (const { name, file, nodeOptions = [], trial } of share("benches", trials, 1))
  test(`the bench ${name} runs to its end`, { skip: onPostgres && "benches open their own" }, async () => {
    const env = { ...process.env, ...trial };
    const { stdout } = await execute(process.execPath, [...nodeOptions, file], { cwd: root, env });
    assert.notEqual(stdout, "");
  });
