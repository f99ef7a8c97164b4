import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { buildColumns } from "./build.ts";
import type { NodeId } from "./node.ts";
import { arbitraryGraph } from "./testing/arbitrary-graph.ts";
import { buildGraph, bytesOfIds, type GraphInput, rowsOf } from "./testing/graph-input.ts";
import { id, page, reference } from "./testing/samples.ts";

/** The columns of a graph, built from an earlier one and the references of these nodes alone. */
function renewed(earlier: GraphInput, now: GraphInput, sources: readonly NodeId[]) {
  const references = now.references.filter(({ from }) => sources.includes(from));
  const rows = { ...rowsOf({ ...now, references }), sources: bytesOfIds(sources) };
  return buildColumns(rows, buildGraph(earlier).columns);
}

/** The nodes whose references differ. */
function otherSources({ references: before }: GraphInput, { nodes, references: now }: GraphInput): NodeId[] {
  const of = (references: GraphInput["references"], from: NodeId) =>
    JSON.stringify(references.filter((each) => each.from === from));
  return nodes.flatMap((node) => (of(before, node.id) === of(now, node.id) ? [] : [node.id]));
}

const titles = fc.array(fc.constantFrom("", "Moon", "moon", "Solar system"), { minLength: 7, maxLength: 7 });
const aliases = fc.array(fc.subarray(["Luna", "Selene", "luna"]), { minLength: 7, maxLength: 7 });
/** Graphs of the same seven nodes. */
const anyGraph = fc
  .tuple(arbitraryGraph(7), titles, aliases)
  .map(([{ nodes, references }, names, others]): GraphInput => {
    const named = nodes.map((node, at) => ({ ...node, title: names[at] ?? "", aliases: others[at] ?? [] }));
    return { nodes: named, references };
  });

test("GRAPH-7: a graph that keeps references of an earlier one is the graph of all references", () => {
  const agree = (earlier: GraphInput, now: GraphInput) =>
    assert.deepEqual(renewed(earlier, now, otherSources(earlier, now)), buildGraph(now).columns);
  fc.assert(fc.property(anyGraph, anyGraph, agree), { numRuns: 150 });
  // Of most edits, all titles and most references stay.
  const some = fc.record({
    graph: anyGraph,
    from: fc.nat(6),
    to: fc.nat(6),
    name: fc.constantFrom("a", "b"),
  });
  fc.assert(
    fc.property(some, ({ graph, from, to, name }) =>
      agree(graph, {
        nodes: graph.nodes,
        references: [
          ...graph.references.filter((each) => each.from !== id(from)),
          reference(from, to, "relation", { name }),
        ],
      }),
    ),
    { numRuns: 150 },
  );
});

test("GRAPH-7: references that did not change may be read again", () => {
  const graph: GraphInput = {
    nodes: [page(1), page(2, { parentId: id(1) })],
    references: [reference(1, 2, "link"), reference(2, 1, "mention"), reference(2, 9, "link")],
  };
  for (const sources of [[], [id(1)], [id(1), id(2)], [id(7)]])
    assert.deepEqual(renewed(graph, graph, sources), buildGraph(graph).columns);
});

test("GRAPH-7: an alias that another node has now is found there, and another alias is found at all", () => {
  const nodes = [page(1, { title: "Moon" }), page(2, { title: "Earth" })];
  const named = (owner: number, alias: string) => ({
    nodes: nodes.map((node, at) => ({ ...node, aliases: at === owner ? [alias] : [] })),
    references: [],
  });
  const before = named(0, "Luna");
  for (const now of [before, named(1, "Luna"), named(0, "Lune"), named(0, "Selene"), named(1, "")])
    assert.deepEqual(renewed(before, now, []), buildGraph(now).columns);
});

test("GRAPH-7: an earlier graph of other nodes is refused", () => {
  const references = [reference(1, 2, "link")];
  const earlier = { nodes: [page(1), page(2)], references };
  assert.throws(() => renewed(earlier, { nodes: [page(1), page(3)], references }, []), RangeError);
  const rows = { ...rowsOf(earlier), sources: bytesOfIds([]) };
  assert.throws(() => buildColumns(rows), RangeError);
});
