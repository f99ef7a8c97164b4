import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { share } from "@clew/stand-in/testing/share";
import { onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { programs } from "../../scripts/programs.ts";
import { testLimits } from "../limits.ts";
import { examine } from "./examine.ts";
import { plantedFaults } from "./planted-faults.ts";

const root = join(import.meta.dirname, "../..");

test("every planted fault changes text that its file has once, and names a test", () => {
  const kinds = [...Object.keys(programs.campaign ?? {}), ...Object.keys(testLimits)];
  for (const { by, name, file, changes } of plantedFaults) {
    assert(kinds.includes(by), by);
    const source = readFileSync(join(root, file), "utf8");
    for (const [text] of changes) assert.equal(source.split(text).length, 2, `${name}: "${text}" in ${file}`);
  }
  assert.equal(new Set(plantedFaults.map(({ name }) => name)).size, plantedFaults.length);
});

test("a change that breaks nothing is called a fault that was not seen", async () => {
  const { kind, output } = await examine({
    by: "checks",
    name: "nothing differs",
    file: "packages/graph/src/edge.ts",
    changes: [],
    testFile: "packages/graph/src/rank-set.test.ts",
    seen: /./,
  });
  assert.equal(kind, "not seen", output);
});

// Each takes half a minute, so `npm test` leaves them to `npm run test:whole`. Those with needs are left to the campaign.
for (const fault of share(
  "planted faults",
  plantedFaults.filter(({ needs }) => needs === undefined),
  0,
))
  test(`${fault.by} sees that ${fault.name}`, { skip: onPostgres && "the faults are the same" }, async () => {
    const { kind, output } = await examine(fault);
    assert.equal(kind, "seen", output);
  });
