import assert from "node:assert/strict";
import { test } from "node:test";
import type { GatheredContext } from "@clew/context";
import { LastContext } from "./last-context.ts";

test("GRAPH-22: a context is gathered anew for another question, other texts, and after a moment", async () => {
  const last = new LastContext();
  const [graph, texts, newerTexts] = [{}, {}, {}];
  let gathered = 0;
  const take = async (of: readonly unknown[], now: number) => {
    const before = gathered;
    await last.take(of, now, async () => {
      gathered += 1;
      return {} as GatheredContext;
    });
    return gathered > before;
  };
  assert.equal(await take(["comet", graph, texts], 0), true);
  assert.equal(await take(["comet", graph, texts], 100), false);
  assert.equal(await take(["planet", graph, texts], 200), true);
  assert.equal(await take(["planet", graph, newerTexts], 300), true);
  assert.equal(await take(["planet", graph, newerTexts], 5_000), true);
  last.clear();
  assert.equal(await take(["planet", graph, newerTexts], 5_001), true);
});
