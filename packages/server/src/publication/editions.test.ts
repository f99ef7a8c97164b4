import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGraph } from "../graph/build.ts";
import { createEditions, editionGrace } from "./editions.ts";

const published = (edition: number) => ({ edition, graph: buildGraph({ nodes: [], threads: [] }) });

test("GRAPH-12: an edition is found for at least a minute after a newer one took its place", () => {
  assert.ok(editionGrace >= 60_000);
  let now = 0;
  const editions = createEditions(() => now);
  const [first, second] = [published(1), published(2)];
  editions.place(first);
  now += 10 * editionGrace;
  assert.equal(editions.find(1), first, "the newest has no age");

  editions.place(second);
  assert.equal(editions.latest(), second);
  now += editionGrace;
  assert.equal(editions.find(1), first);
  now += 1;
  assert.equal(editions.find(1), null);
  assert.equal(editions.find(2), second);
});

test("GRAPH-12: several older editions are held at a time, each for its own minute", () => {
  let now = 0;
  const editions = createEditions(() => now);
  for (const edition of [1, 2, 3]) {
    editions.place(published(edition));
    now += editionGrace / 2;
  }
  assert.deepEqual(
    [1, 2, 3].map((edition) => editions.find(edition)?.edition),
    [1, 2, 3],
  );
  now += 1;
  assert.deepEqual(
    [1, 2, 3].map((edition) => editions.find(edition)?.edition),
    [undefined, 2, 3],
  );
});

test("GRAPH-12: an edition that never was is not found", () => {
  const editions = createEditions(() => 0);
  assert.equal(editions.latest(), null);
  assert.equal(editions.find(0), null);
  editions.place(published(5));
  assert.equal(editions.find(4), null);
  assert.equal(editions.find(6), null);
});
