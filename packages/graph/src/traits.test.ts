import assert from "node:assert/strict";
import { test } from "node:test";
import { contentStates, markTraits, type NodeTrait, nodeTraits } from "@clew/contract/vocabulary";
import fc from "fast-check";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph, type GraphInput } from "./testing/graph-input.ts";
import { modelOf, modelTraits } from "./testing/graph-model.ts";
import { id, page, reference } from "./testing/samples.ts";
import { traitSet } from "./traits.ts";

/** The traits of every node, in the order of ids. */
function traitsOf(input: GraphInput): NodeTrait[][] {
  const { traits } = buildGraph(input).columns;
  return [...traits].map((set) => nodeTraits.filter((trait) => (set & traitSet([trait])) !== 0));
}

test("GRAPH-19: traits tell what a node lacks", () => {
  const nodes = [
    page(0),
    page(1, { type: "database", contentState: "empty" }),
    page(2, { parentId: id(1), contentState: "failed" }),
    page(3, { parentId: id(2), contentState: "pending" }),
  ];
  const references = [reference(0, 1), reference(0, 9), reference(1, 1), reference(3, 3)];
  assert.deepEqual(traitsOf({ nodes, references }), [
    ["unreferenced", "broken"],
    ["dead_end", "empty"],
    ["orphan", "unreferenced", "dead_end", "failed", "row"],
    ["orphan", "unreferenced", "dead_end"],
  ]);
});

test("GRAPH-19: traits equal those of the plain model", () => {
  const states = fc.array(fc.constantFrom(...contentStates), { minLength: 8, maxLength: 8 });
  const marks = fc.array(fc.subarray([...markTraits]), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(arbitraryGraph(8), states, marks, (plain, contentState, marked) => {
      const nodes = plain.nodes.map((node, n) => ({
        ...node,
        contentState: contentState[n] ?? "ready",
        marks: marked[n] ?? [],
      }));
      const input = { ...plain, nodes };
      assert.deepEqual(
        traitsOf(input),
        modelOf(input).nodes.map((node) => modelTraits(input, node.id)),
      );
    }),
    { numRuns: 300 },
  );
});
