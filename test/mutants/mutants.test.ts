import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { areas, filesOf, testsOf } from "./areas.ts";
import { Examination } from "./examine.ts";
import { sample } from "./mutants.ts";
import { AreaRecord, type Entry } from "./record.ts";
import { lowerBound } from "./statistics.ts";

async function temporaryFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "clew-mutants-"));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

const planted = {
  files: ["test/mutants/planted/planted.ts"],
  tests: ["test/mutants/planted/planted.test.ts"],
};

test("a function that no test calls shows as survivors, and a tested one does not", async (t) => {
  const examination = await Examination.open(planted, await temporaryFolder(t));
  await examination.runUnchanged();
  const verdictOf = async (name: string) => {
    const mutant = examination.mutants.find((each) => each.name === name);
    assert.ok(mutant, name);
    return examination.examine(mutant, 30);
  };
  assert.deepEqual(await verdictOf("unchecked: comparison changed, > → >=, in size > 9"), {
    verdict: "uncovered",
  });
  const { verdict, by, test: name } = await verdictOf("price: comparison changed, >= → >, in age >= 65");
  assert.deepEqual(
    [verdict, by, name],
    ["killed", planted.tests[0], "children pay nothing, and older people half"],
  );
  const survived = await verdictOf("countTo: comparison changed, < → <=, in count < end");
  assert.equal(survived.verdict, "killed");
});

test("a small share of the campaign: mutants of cursors are killed by their own tests", async (t) => {
  const cursors = {
    files: ["packages/server/src/operations/cursors.ts"],
    tests: ["packages/server/src/operations/cursors.test.ts"],
  };
  const examination = await Examination.open(cursors, await temporaryFolder(t));
  await examination.runUnchanged();
  const verdicts = [];
  for (const mutant of sample(examination.mutants, 1, 3))
    verdicts.push(await examination.examine(mutant, 30));
  assert.ok(verdicts.some(({ verdict }) => verdict === "killed"));
  assert.ok(verdicts.every(({ verdict }) => verdict !== "unclear"));
});

test("every area has files and tests, and no file is in two areas", () => {
  const files = Object.values(areas).flatMap(filesOf);
  assert.equal(new Set(files).size, files.length);
  for (const [name, area] of Object.entries(areas)) {
    assert.ok(filesOf(area).length > 0, name);
    assert.ok(testsOf(area).length > 0, name);
  }
});

test("a record continues after its last whole line, and keeps the first and the last outcome for a mutant", async (t) => {
  const folder = await temporaryFolder(t);
  const entry: Entry = {
    ...{ id: "1", file: "a.ts", line: 1, name: "n", verdict: "survived", at: "2026-01-01", commit: "c" },
  };
  const first = new AreaRecord("a", folder);
  first.add(entry);
  first.add({ ...entry, verdict: "killed" });
  assert.deepEqual(new AreaRecord("a", folder).get("1"), { ...entry, verdict: "killed" });
  assert.deepEqual(new AreaRecord("a", folder).first("1"), entry);
  assert.equal(new AreaRecord("a", folder).get("2"), undefined);
});

test("the lower bound is that of Wilson's interval", () => {
  // Computed by hand from Wilson (1927), z = 1.96.
  const bounds: readonly (readonly [number, number, number])[] = [
    [0, 10, 0],
    [10, 10, 0.7225],
    [80, 100, 0.7112],
    [340, 400, 0.8117],
    [0, 0, 0],
  ];
  for (const [hits, size, bound] of bounds)
    assert.ok(Math.abs(lowerBound(hits, size) - bound) < 0.0005, `${hits} of ${size}`);
});
