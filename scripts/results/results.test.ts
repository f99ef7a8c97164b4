import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { beginResult, commitsSince, readResults } from "./results.ts";

test("runs are kept in their order, with the last paragraph that they printed", async (t) => {
  const folder = await mkdtemp(join(tmpdir(), "clew-results-"));
  t.after(() => rm(folder, { recursive: true }));
  assert.deepEqual(readResults("work.campaign.ts", folder), []);
  beginResult(
    "work.campaign.ts",
    "SEED=1 npm run campaign work",
    folder,
  )("began\n\nseed 1: 5 s\nnone broken\n", 0);
  beginResult("work.campaign.ts", "SEED=2 npm run campaign work", folder)(`${"line\n".repeat(99)}end\n`, 1);
  const file = new URL("results.ts", import.meta.url);
  beginResult("work.campaign.ts", "failing", folder)(`at ${file.href}:1 and ${fileURLToPath(file)}:2`, 1);
  const [first, second, third] = readResults("work.campaign.ts", folder);
  assert.deepEqual(third?.printed, ["at scripts/results/results.ts:1 and scripts/results/results.ts:2"]);
  assert.deepEqual([first?.printed, first?.exitCode], [["seed 1: 5 s", "none broken"], 0]);
  assert.match(first?.commit ?? "", /^[0-9a-f]{8,}\+?$/);
  assert.match(first?.date ?? "", /^\d{4}-\d\d-\d\d$/);
  assert.deepEqual([second?.command, second?.exitCode], ["SEED=2 npm run campaign work", 1]);
  assert.deepEqual([second?.printed.length, second?.printed.at(-1)], [24, "end"]);
});

test("the age of a commit that git does not know is unknown", () => {
  assert.equal(commitsSince({ commit: "0000000000000000" }), null);
  assert.equal(commitsSince({ commit: "HEAD+" }), 0);
});
