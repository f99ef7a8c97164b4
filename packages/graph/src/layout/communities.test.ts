import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { at, floatAt } from "../columns.ts";
import { arbitraryGraph } from "../testing/arbitrary-graph.ts";
import { buildGraph } from "../testing/graph-input.ts";
import { linkedGroups } from "../testing/linked-groups.ts";
import { linked } from "../testing/samples.ts";
import { communitiesOf, connectedParts, modularityOf, movedVertices } from "./communities.ts";
import { partitionOf } from "./partition.ts";
import { aggregated, pageGraphOf, strengthsOf, sumOf, type WeightedGraph } from "./weighted-graph.ts";

const graphOf = (input: Parameters<typeof buildGraph>[0]) => pageGraphOf(buildGraph(input).columns);

/** The pages that can be reached from a page within its group. */
function reached({ offsets, others }: WeightedGraph, groups: Uint32Array, from: number): Set<number> {
  const found = new Set([from]);
  for (const page of found) {
    for (let edge = at(offsets, page); edge < at(offsets, page + 1); edge += 1) {
      const other = at(others, edge);
      if (at(groups, other) === at(groups, from)) found.add(other);
    }
  }
  return found;
}

test("GRAPH-30: communities are connected within themselves", () => {
  fc.assert(
    fc.property(arbitraryGraph(40), fc.constantFrom(0.5, 1, 2, 4), (input, resolution) => {
      const graph = graphOf(input);
      for (const { of, count } of [movedVertices(graph, resolution), communitiesOf(graph, resolution)]) {
        const firsts = new Map<number, number>();
        of.forEach((group, vertex) => {
          if (!firsts.has(group)) firsts.set(group, vertex);
        });
        assert.equal(firsts.size, count);
        let pages = 0;
        for (const first of firsts.values()) pages += reached(graph, of, first).size;
        assert.equal(pages, of.length);
      }
    }),
    { numRuns: 60 },
  );
});

test("GRAPH-30: a community is split where it is not connected", () => {
  // 0 – 1 – 2 – 3, of which 1 has left the community of the others.
  const { columns } = linked(4, [
    [0, 1],
    [1, 2],
    [2, 3],
  ]);
  const { of, count } = connectedParts(pageGraphOf(columns), Uint32Array.of(0, 1, 0, 0));
  assert.deepEqual([[...of], count], [[0, 1, 2, 2], 3]);
});

test("GRAPH-30: the edges of an undirected graph have one weight from both ends, also between communities", () => {
  fc.assert(
    fc.property(arbitraryGraph(30), (input) => {
      const graph = graphOf(input);
      const { of, count } = communitiesOf(graph, 1);
      const whole = aggregated(graph, of, count);
      assert.equal(sumOf(strengthsOf(whole)), sumOf(strengthsOf(graph)));
      for (const { offsets, others, weights } of [graph, whole]) {
        const weightOf = new Map<string, number>();
        for (let vertex = 0; vertex < offsets.length - 1; vertex += 1)
          for (let edge = at(offsets, vertex); edge < at(offsets, vertex + 1); edge += 1)
            weightOf.set(`${vertex} ${at(others, edge)}`, floatAt(weights, edge));
        for (const [pair, weight] of weightOf)
          assert.equal(weightOf.get(pair.split(" ").reverse().join(" ")), weight);
      }
      assert.ok(modularityOf(graph, of, count) >= -0.5);
      assert.equal(
        modularityOf(whole, Uint32Array.from(whole.pages.keys()), count),
        modularityOf(graph, of, count),
      );
    }),
    { numRuns: 60 },
  );
});

test("GRAPH-30: groups of pages that link each other are found", () => {
  const links = [0, 10, 20].flatMap((first) =>
    Array.from({ length: 10 }, (_, n) =>
      [1, 2, 3].map((step) => [first + n, first + ((n + step) % 10)] as const),
    ).flat(),
  );
  const between = [
    [0, 10],
    [10, 20],
  ] as const;
  const { columns } = linked(30, [...links, ...between]);
  const { of, count } = communitiesOf(pageGraphOf(columns), 1);
  assert.equal(count, 3);
  const groupOf = (node: number) => at(of, at(columns.tree.positions, node));
  for (let node = 0; node < 30; node += 1) assert.equal(groupOf(node), groupOf(node - (node % 10)));
});

test("GRAPH-30: regions are no more than forty, and small ones are merged", () => {
  for (const [seed, groups, size] of [
    [1, 100, 3000],
    [2, 5, 500],
    [3, 30, 400],
  ] as const) {
    const graph = graphOf(linkedGroups(seed, groups, size));
    const { of, count } = partitionOf(graph);
    const { pages } = aggregated(graph, of, count);
    assert.ok(count <= 40 && count >= Math.min(12, size / 16) / 2, `${count} regions of ${size} pages`);
    const smallest = Math.max(4, size / 250);
    for (const each of pages) assert.ok(each >= smallest, `a region of ${each} among ${size} pages`);
  }
});
