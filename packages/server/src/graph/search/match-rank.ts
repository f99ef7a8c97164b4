import { type MatchKind, matchKinds } from "@clew/contract";

/** A kind of match as its place in the contract's `matchKinds`: the smaller, the better. */
export type MatchRank = number;

const rankOf = (kind: MatchKind): MatchRank => matchKinds.indexOf(kind);

export const exact = rankOf("exact");
export const prefix = rankOf("prefix");
export const words = rankOf("words");
export const substring = rankOf("substring");
export const fuzzy = rankOf("fuzzy");

/** The rank of what does not match at all. */
export const unmatched: MatchRank = matchKinds.length;

/** null where there is no match. */
export function kindOf(rank: MatchRank): MatchKind | null {
  return rank === unmatched ? null : (matchKinds[rank] ?? null);
}
