import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Entry } from "@clew/folder";
import { openWorkspace } from "@clew/folder";
import { writeFolder } from "@clew/folder/testing";
import fc from "fast-check";
import { generateWorkspace, writeWorkspace } from "./generate-workspace.ts";
import type { WorkspaceShape } from "./outline.ts";

async function generated(t: TestContext, shape: WorkspaceShape) {
  const directory = await writeFolder(t, {});
  await writeWorkspace(directory, shape);
  return (await openWorkspace(directory)).current();
}

function depthOf({ parent }: Entry): number {
  return parent === null ? 1 : 1 + depthOf(parent);
}

test("the same seed and shape generate the same files, and another seed generates others", () => {
  const textOf = (seed: number) => JSON.stringify([...generateWorkspace({ seed, pages: 200 })]);
  assert.equal(textOf(1), textOf(1));
  assert.notEqual(textOf(1), textOf(2));
});

test("every workspace has the requested number of pages, unique ids, at most nine levels, and no broken links", async (t) => {
  const shapes = fc.record({
    seed: fc.nat(),
    pages: fc.integer({ min: 10, max: 150 }),
    rowShare: fc.double({ min: 0, max: 1, noNaN: true }),
    relationShare: fc.double({ min: 0, max: 1, noNaN: true }),
  });
  await fc.assert(
    fc.asyncProperty(shapes, async (shape) => {
      const { entries, warnings, unresolvedLinks } = await generated(t, shape);
      assert.equal(entries.filter(({ kind }) => kind === "page").length, shape.pages);
      assert.ok(entries.every(({ id, origin }) => origin.endsWith(id)));
      assert.ok(Math.max(...entries.map(depthOf)) <= 9);
      assert.deepEqual([warnings, unresolvedLinks()], [[], []]);
    }),
    { numRuns: 15 },
  );
});

test("databases have the requested size, and rows with relations", async (t) => {
  const { entries, properties } = await generated(t, {
    seed: 3,
    pages: 400,
    largestDatabase: 250,
    relationShare: 1,
  });
  const sizes = entries.filter(({ kind }) => kind === "database").map(({ children }) => children.length);
  assert.equal(Math.max(...sizes), 250);
  const related = entries
    .filter(({ parent }) => parent?.kind === "database")
    .map((row) => properties(row).find(({ value }) => value.type === "relation")?.value);
  assert.ok(related.every((value) => value?.type === "relation" && value.ids.length > 0));
});
