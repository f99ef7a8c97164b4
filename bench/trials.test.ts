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
 * A bench is started when a figure is needed, perhaps months after a change broke it. So each bench with a `trial` has a test here, and
 * each run of the tests draws one of them.
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
