import { type EdgeType, edgeTypes } from "@clew/contract/vocabulary";
import type { EdgeRows } from "./adjacency.ts";
import { at, floatAt, identityOrder, narrowAt } from "./columns.ts";
import type { EdgeLabels } from "./edge.ts";
import { sortByFloats } from "./radix-sort.ts";

/** The importance of a node that is above all others. Importance is a share, stored in ten-thousandths. */
export const maxImportance = 10_000;

/** The share of a node's rank that an edge passes on, relative to the node's other edges (GRAPH-20). */
const weights: Readonly<Record<EdgeType, number>> = { child: 1, mention: 10, link: 10, relation: 10 };

const damping = 0.85;

/** The number of rounds. Another round would change the order of hardly any node. */
const rounds = 16;

/** All ranks together. Ranks are whole numbers, and any sum of theirs is one that a float holds exactly. */
const totalRank = 2 ** 49;

/**
 * The importance of each node (GRAPH-20): the share of the other nodes with a lower PageRank, in ten-thousandths.
 * Edges are in rows of their sources (`outgoing`) and of their targets (`incoming`).
 */
export function importanceOf(outgoing: EdgeRows, incoming: EdgeRows, labels: EdgeLabels): Uint16Array {
  const ranks = pageRanks(outgoing, incoming, labels);
  const order = sortByFloats(identityOrder(ranks.length), ranks, "ascending");
  const importance = new Uint16Array(ranks.length);
  const others = Math.max(1, ranks.length - 1);
  let lower = 0;
  for (let position = 0; position < order.length; position += 1) {
    const node = at(order, position);
    if (position > 0 && ranks[node] !== ranks[at(order, position - 1)]) lower = position;
    importance[node] = Math.round((lower * maxImportance) / others);
  }
  return importance;
}

/**
 * PageRank in fixed point: whole numbers add up to the same sum in any order, so nodes with equal surroundings have equal
 * ranks. The rank of nodes without outgoing edges, and the loss by rounding, are shared by all nodes.
 */
function pageRanks(outgoing: EdgeRows, incoming: EdgeRows, { types }: EdgeLabels): Float64Array {
  const nodeCount = outgoing.offsets.length - 1;
  const weightOfLabel = Float64Array.from(types, (type) => weights[edgeTypes[type] ?? "child"]);
  const weightsOut = sumOfWeights(outgoing, weightOfLabel);
  const ranks = new Float64Array(nodeCount).fill(Math.floor(totalRank / nodeCount));
  // The rank that an edge of weight 1 passes on from each node.
  const shares = new Float64Array(nodeCount);
  const { offsets, nodes, labels } = incoming;
  for (let round = 0; round < rounds; round += 1) {
    for (let node = 0; node < nodeCount; node += 1) {
      const weight = floatAt(weightsOut, node);
      shares[node] = weight === 0 ? 0 : Math.floor((damping * floatAt(ranks, node)) / weight);
    }
    let passedOn = 0;
    let position = 0;
    for (let node = 0; node < nodeCount; node += 1) {
      const end = at(offsets, node + 1);
      let rank = 0;
      for (; position < end; position += 1)
        rank += floatAt(shares, at(nodes, position)) * floatAt(weightOfLabel, narrowAt(labels, position));
      ranks[node] = rank;
      passedOn += rank;
    }
    const rest = Math.floor((totalRank - passedOn) / nodeCount);
    for (let node = 0; node < nodeCount; node += 1) ranks[node] = floatAt(ranks, node) + rest;
  }
  return ranks;
}

function sumOfWeights({ offsets, labels }: EdgeRows, weightOfLabel: Float64Array): Float64Array {
  const sums = new Float64Array(offsets.length - 1);
  let position = 0;
  for (let node = 0; node < sums.length; node += 1) {
    const end = at(offsets, node + 1);
    let sum = 0;
    for (; position < end; position += 1) sum += floatAt(weightOfLabel, narrowAt(labels, position));
    sums[node] = sum;
  }
  return sums;
}
