import assert from "node:assert/strict";
import { test } from "node:test";
import { buildGraph } from "@clew/graph/testing";
import { createGraphVersions, versionGraceMs } from "./graph-versions.ts";

const published = (version: number) => ({ version, graph: buildGraph({ nodes: [], references: [] }) });

test("GRAPH-12: a version is found for at least a minute after a newer one took its place", () => {
  assert.ok(versionGraceMs >= 60_000);
  let now = 0;
  const versions = createGraphVersions(() => now);
  const [first, second] = [published(1), published(2)];
  versions.place(first);
  now += 10 * versionGraceMs;
  assert.equal(versions.find(1), first, "the newest has no age");

  versions.place(second);
  assert.equal(versions.latest(), second);
  now += versionGraceMs;
  assert.equal(versions.find(1), first);
  now += 1;
  assert.equal(versions.find(1), null);
  assert.equal(versions.find(2), second);
});

test("GRAPH-12: several older versions are held at a time, each for its own minute", () => {
  let now = 0;
  const versions = createGraphVersions(() => now);
  for (const version of [1, 2, 3]) {
    versions.place(published(version));
    now += versionGraceMs / 2;
  }
  assert.deepEqual(
    [1, 2, 3].map((version) => versions.find(version)?.version),
    [1, 2, 3],
  );
  now += 1;
  assert.deepEqual(
    [1, 2, 3].map((version) => versions.find(version)?.version),
    [undefined, 2, 3],
  );
});

test("GRAPH-12: a version that never was is not found", () => {
  const versions = createGraphVersions(() => 0);
  assert.equal(versions.latest(), null);
  assert.equal(versions.find(0), null);
  versions.place(published(5));
  assert.equal(versions.find(4), null);
  assert.equal(versions.find(6), null);
});
