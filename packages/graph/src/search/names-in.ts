import { fold } from "@clew/text/basics";
import { at } from "../columns.ts";
import type { Graph } from "../graph.ts";
import { rangeOf } from "../packed-texts.ts";

/** A place in a folded text at which titles or aliases of nodes stand. */
export interface NameInText {
  /** The folded text that stands there. */
  readonly name: string;
  /** The nodes of that name, the best first (GRAPH-2); no more than `maxNamesakes`. */
  readonly nodes: readonly number[];
}

/** Nodes that share one name. */
const maxNamesakes = 12;
/** Words, or characters of a script without spaces, in one name. */
const maxNameParts = 16;
/** A text may be a whole page: names are looked for in its beginning. */
const maxTextUnits = 4_000;

/** Scripts that are written without spaces: a name may begin and end anywhere. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const partPattern = new RegExp(`${unspaced.source}|(?:(?!${unspaced.source})[\\p{L}\\p{N}\\p{M}])+`, "gu");

/**
 * Finds the titles and aliases of nodes that a text contains as whole words, in the order of the text. A title also counts
 * without what it has in brackets at its end: `Mark King` for `Mark King (musician)`. Of names that overlap, the longest
 * counts.
 */
export function namesIn(graph: Graph, text: string): NameInText[] {
  const folded = fold(text).slice(0, maxTextUnits);
  const parts = [...folded.matchAll(partPattern)].map(({ 0: part, index }) => ({
    from: index,
    to: index + part.length,
  }));
  const names: NameInText[] = [];
  for (let first = 0; first < parts.length; ) {
    const found = longestNameAt(graph, folded, parts.slice(first, first + maxNameParts));
    if (found !== null) names.push({ name: found.name, nodes: found.nodes });
    first += found?.parts ?? 1;
  }
  return names;
}

function longestNameAt(
  { columns: { titles } }: Graph,
  folded: string,
  parts: readonly { readonly from: number; readonly to: number }[],
): (NameInText & { readonly parts: number }) | null {
  const { units } = titles.titles;
  const { positions, owners } = titles.sortedTitles;
  const start = parts[0]?.from ?? 0;
  let within = { from: 0, to: positions.length };
  let longest: (NameInText & { readonly parts: number }) | null = null;
  for (const [index, { to }] of parts.entries()) {
    const name = folded.slice(start, to);
    within = rangeOf(units, positions, name, within);
    if (within.from === within.to) break;
    const ranks = ["\0", " ("].flatMap((end) => {
      const whole = rangeOf(units, positions, name + end, within);
      const some = [...owners.subarray(whole.from, Math.min(whole.to, whole.from + maxScanned))];
      return end === "\0" ? some : some.filter((rank) => endsInBracket(titles, rank, name.length));
    });
    if (ranks.length === 0) continue;
    const nodes = [...new Set(ranks.toSorted((a, b) => a - b).map((rank) => at(titles.nodes, rank)))];
    longest = { name, nodes: nodes.slice(0, maxNamesakes), parts: index + 1 };
  }
  return longest;
}

/** Titles of one name that are looked at. */
const maxScanned = 200;

/** Whether a title has nothing but one pair of brackets after its first `length` units. */
function endsInBracket({ titles, texts }: Graph["columns"]["titles"], rank: number, length: number): boolean {
  const row = at(texts, rank);
  const [start, end] = [at(titles.offsets, row) + length, at(titles.offsets, row + 1) - 1];
  return String.fromCharCode(...titles.units.subarray(start, end)).search(/^ \([^()]*\)$/) === 0;
}
