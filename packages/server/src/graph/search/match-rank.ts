import { type MatchKind, matchKinds } from "@clew/contract";

/** A kind of match as its place in the contract's `matchKinds`: the smaller, the better. */
export type MatchRank = number;

const rankOf = (kind: MatchKind): MatchRank => matchKinds.indexOf(kind);

export const [exact, prefix, words, substring, fuzzy] = [
  rankOf("exact"),
  rankOf("prefix"),
  rankOf("words"),
  rankOf("substring"),
  rankOf("fuzzy"),
];

/** The rank of what does not match at all. */
export const unmatched: MatchRank = matchKinds.length;
