import assert from "node:assert/strict";
import { test } from "node:test";
import type { Client } from "@clew/client";
import { graphLimits } from "@clew/contract";
import { idsPerCall, readLinksAmong } from "./links-among.ts";
import { mostNodes } from "./scene.ts";

/** The calls that ask for the links among `pages` pages. */
async function callsFor(pages: number): Promise<string[][]> {
  const calls: string[][] = [];
  const api: Pick<Client, "listEdges"> = {
    async listEdges({ ids }) {
      calls.push(ids.split(","));
      return { items: [], missing: [], truncated: false };
    },
  };
  const ids = Array.from({ length: pages }, (_, index) => `page-${index}`);
  await readLinksAmong(api, ids, new AbortController().signal);
  return calls;
}

test("GRAPH-31: every two pages of a picture are together in a call, and no call has too many", async () => {
  assert.equal(idsPerCall, graphLimits.edges.maximum);
  assert.equal((await callsFor(idsPerCall)).length, 1);
  const calls = (await callsFor(mostNodes)).map((ids) => new Set(ids));
  assert.equal(calls.length, 3);
  assert.ok(calls.every(({ size }) => size <= idsPerCall));
  for (let a = 0; a < mostNodes; a += 1)
    for (let b = a + 1; b < mostNodes; b += 1)
      assert.ok(calls.some((ids) => ids.has(`page${a}`) && ids.has(`page${b}`)));
});
