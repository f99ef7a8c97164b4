import { isDeepStrictEqual } from "node:util";
import { type ExpectedGraph, edgeKey } from "./expected-graph.ts";
import type { ServedGraph } from "./served-graph.ts";

/**
 * The differences between the graph that Clew serves and the expected graph of a folder: nodes with their titles, types
 * and parents, links and mentions with their counts, and the number of unresolved ones per page. Relations are not compared.
 */
export function differences(expected: ExpectedGraph, served: ServedGraph): string[] {
  return [
    ...nodeDifferences(expected, served),
    ...edgeDifferences(expected, served),
    ...unresolvedDifferences(expected, served),
  ];
}

function nodeDifferences(expected: ExpectedGraph, { nodes, size }: ServedGraph): string[] {
  const served = new Map(nodes.map((node) => [node.id, node]));
  const differing: string[] = [];
  for (const [id, { path, type, title, parent }] of expected.nodes) {
    const node = served.get(id);
    if (node === undefined) differing.push(`there is no node of ${path}`);
    else {
      const actual = [node.type, node.title, node.parent_id && pathOf(expected, node.parent_id)];
      const wanted = [type, title, parent];
      if (!isDeepStrictEqual(actual, wanted))
        differing.push(`${path}: ${JSON.stringify(actual)} instead of ${JSON.stringify(wanted)}`);
    }
  }
  if (size.nodes !== expected.nodes.size)
    differing.push(`${size.nodes} nodes are counted instead of ${expected.nodes.size}`);
  return differing;
}

function edgeDifferences(expected: ExpectedGraph, { edges, size }: ServedGraph): string[] {
  const wanted = new Map(expected.references);
  for (const { path, parent } of expected.nodes.values()) {
    if (parent !== null) wanted.set(edgeKey("child", parent, path), 1);
  }
  const actual = new Map<string, number>();
  for (const { type, from, to, count } of edges) {
    if (type !== "relation") actual.set(edgeKey(type, pathOf(expected, from), pathOf(expected, to)), count);
  }
  const differing: string[] = [];
  for (const key of new Set([...wanted.keys(), ...actual.keys()])) {
    const [served = 0, should = 0] = [actual.get(key), wanted.get(key)];
    if (served !== should) differing.push(`${key}: ${served} times instead of ${should}`);
  }
  if (size.edges !== edges.length)
    differing.push(`${size.edges} edges are counted instead of ${edges.length}`);
  return differing;
}

function unresolvedDifferences(expected: ExpectedGraph, { unresolved }: ServedGraph): string[] {
  const actual = new Map<string, number>();
  for (const [id, references] of unresolved) {
    for (const { type, count } of references) {
      const key = `${type} in ${pathOf(expected, id)}`;
      if (type !== "relation") actual.set(key, (actual.get(key) ?? 0) + count);
    }
  }
  const differing: string[] = [];
  for (const key of new Set([...expected.toNowhere.keys(), ...actual.keys()])) {
    const [served = 0, should = 0] = [actual.get(key), expected.toNowhere.get(key)];
    if (served !== should) differing.push(`${key}: ${served} lead nowhere instead of ${should}`);
  }
  return differing;
}

/** The path of a node; its id if it has none. */
const pathOf = ({ nodes }: ExpectedGraph, id: string) => nodes.get(id)?.path ?? id;
