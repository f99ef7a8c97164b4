import assert from "node:assert/strict";
import { test } from "node:test";
import { needsFile } from "../../packages/server/src/store/testing/location.ts";
import { stageOf } from "../support/stage.ts";
import { runSoak } from "./scenario.ts";

test("OPS-9: below its ceiling Clew answers all questions of a mix, while tokens rotate and pages are synced", {
  skip: needsFile,
}, async (t) => {
  const outcome = await runSoak(await stageOf(t), {
    seed: 1,
    share: 0.2,
    instances: 1,
    databaseUrl: null,
    pages: 2,
    ceilingMs: 200,
    warmUpMs: 100,
    measuredMs: 600,
    sampleMs: 200,
    leaks: false,
  });
  assert.deepEqual(outcome.wrong, {});
  assert.ok(outcome.served > 0 && outcome.ceiling > 0);
  assert.ok((outcome.chores.signIns ?? 0) > 0 && (outcome.chores.edits ?? 0) > 0);
  for (const [name, samples] of outcome.series)
    for (const { value } of samples) assert.ok(Number.isFinite(value) && value >= 0, `${name}: ${value}`);
  assert.ok((outcome.series.get("memory")?.[0]?.value ?? 0) > 50);
});
