import assert from "node:assert/strict";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { alsoDark, alsoNarrow, scenes } from "../pictures/scenes.ts";

const docs = join(import.meta.dirname, "../../docs");

/** All pictures together, in bytes: every clone downloads them. */
const mostBytes = 2_000_000;

test("every picture that is taken of the dashboard is small, and docs/dashboard.md shows it", async () => {
  const taken = [
    ...scenes.map(({ name }) => name),
    ...alsoDark.map((name) => `${name}-dark`),
    ...alsoNarrow.map((name) => `${name}-narrow`),
  ].map((name) => `${name}.webp`);
  const files = await readdir(join(docs, "pictures"));
  assert.deepEqual(files.toSorted(), taken.toSorted());
  const sizes = await Promise.all(files.map(async (file) => (await stat(join(docs, "pictures", file))).size));
  assert.ok(sizes.every((bytes) => bytes > 1_000));
  assert.ok(sizes.reduce((sum, bytes) => sum + bytes) < mostBytes);
  const guide = await readFile(join(docs, "dashboard.md"), "utf8");
  const shown = [...guide.matchAll(/pictures\/([\w-]+\.webp)/g)].map(([, file]) => file ?? "");
  assert.deepEqual(shown.toSorted(), files.toSorted());
});
