import { type MatchKind, matchKinds } from "@clew/contract";
import type { NodeId } from "../node-id.ts";

/** How well a node stands in a ranking. */
export interface Relevance {
  readonly match: MatchKind;
  /** Edges in and out. */
  readonly degree: number;
  /** Milliseconds since the Unix epoch. */
  readonly updatedAt: number;
}

/** A node's place in a ranking. Plain JSON, so that a later search can go on after it. */
export interface RankKey extends Relevance {
  readonly id: NodeId;
}

/** The order of a ranking (GRAPH-2): negative where `a` comes before `b`, also where they are of different graphs. */
export function compareRank(a: RankKey, b: RankKey): number {
  return compareRelevance(a, b) || (a.id < b.id ? -1 : Number(a.id > b.id));
}

/** The better kind of match first, then the higher degree, then the later update. */
export function compareRelevance(a: Relevance, b: Relevance): number {
  return (
    matchKinds.indexOf(a.match) - matchKinds.indexOf(b.match) ||
    b.degree - a.degree ||
    b.updatedAt - a.updatedAt
  );
}

/**
 * A number between 0 and 1 that falls along the ranking: each kind of match has a fifth of the range to itself, within
 * which it grows with the degree.
 */
export function scoreOf({ match, degree }: Relevance): number {
  const worseKinds = matchKinds.length - 1 - matchKinds.indexOf(match);
  return (worseKinds + (degree + 1) / (degree + 2)) / matchKinds.length;
}
