import { directions, edgeTypes, nodeTypes } from "@clew/contract/vocabulary";
import fc from "fast-check";
import type { GraphInput } from "./graph-input.ts";
import { id, page, reference } from "./samples.ts";

/**
 * Small graphs in which everything odd is frequent: references of a node to itself, duplicate references, references from
 * and to pages that are not there, isolated nodes, hubs, cycles of parents, parents that are not there.
 */
export function arbitraryGraph(size: number): fc.Arbitrary<GraphInput> {
  // One more than there are; the first few come up so often that they become hubs.
  const anyNode = fc.oneof(
    { weight: 3, arbitrary: fc.nat({ max: size }) },
    { weight: 1, arbitrary: fc.nat({ max: Math.min(2, size) }) },
  );
  const anyPage = fc.record({
    type: fc.constantFrom(...nodeTypes),
    parentId: fc.option(anyNode.map(id), { nil: null }),
    icon: fc.constantFrom(null, "", "📄"),
    url: fc.constantFrom(null, "https://www.notion.so/páge"),
    createdAt: fc.nat(),
    updatedAt: fc.nat(),
  });
  const anyReference = fc
    .record({
      from: anyNode,
      to: anyNode,
      type: fc.constantFrom(...edgeTypes.filter((type) => type !== "child")),
      name: fc.constantFrom("Owner", "Owned by", "", null),
      count: fc.integer({ min: 1, max: 5 }),
    })
    .map(({ from, to, type, name, count }) =>
      reference(from, to, type, { name: type === "relation" ? name : null, count }),
    );
  return fc.record({
    nodes: fc
      .array(anyPage, { minLength: size, maxLength: size })
      .map((pages) => pages.map((facts, n) => page(n, facts))),
    references: fc.oneof(
      fc.array(anyReference, { maxLength: size }),
      fc.array(anyReference, { minLength: size, maxLength: 3 * size }),
    ),
  });
}

/** The edges that a walk follows. */
export const arbitraryFilter = fc.record({
  direction: fc.constantFrom(...directions),
  edgeTypes: fc.option(fc.subarray([...edgeTypes]), { nil: undefined }),
});
