import {
  at,
  GrowingColumn,
  identityOrder,
  inverse,
  isSameColumn,
  type NarrowColumn,
  narrowed,
  sortByKeys,
  startsOf,
} from "./columns.ts";
import type { AliasRow } from "./graph-rows.ts";
import { type IdLookup, packIds } from "./node-ids.ts";
import {
  compareText,
  type PackedTexts,
  packFolded,
  type Range,
  rangeOf,
  type SortedTexts,
  sortTexts,
} from "./packed-texts.ts";
import { forEachTerm, lengthAt, TermTable } from "./terms.ts";
import { type TextColumn, textAt } from "./text-column.ts";

/**
 * The folded titles and aliases of a graph's nodes, and where their terms occur. The index knows each of them by its
 * **rank**: its position when all are sorted by the order of results within one kind of match, a node's aliases right
 * after its title. A set of ranks is therefore in the order of the answer.
 */
export interface TitleIndex {
  /** The node at each rank. */
  readonly nodes: Uint32Array;
  /** The text in `titles` at each rank. The same column as `nodes` if no node has an alias. */
  readonly texts: Uint32Array;
  /** The rank of each node's title; those of its aliases follow. */
  readonly ranks: Uint32Array;
  /** The code points of the text at each rank. */
  readonly lengths: NarrowColumn;
  /** The titles in the order of nodes, then the aliases. */
  readonly titles: PackedTexts;
  /** All of `titles`; their owners are ranks. */
  readonly sortedTitles: SortedTexts;
  /** The distinct terms of all titles (`forEachTerm`), sorted. A free sign has a space before it. */
  readonly terms: PackedTexts;
  /** The ranks of the titles that contain each term, term after term. */
  readonly postings: Uint32Array;
  /** The start of each term's postings; the last element is the end of the last ones. */
  readonly postingOffsets: Uint32Array;
  /** A suffix array: every position in `terms` but their starts, sorted by the first `suffixDepth` units. */
  readonly suffixes: SortedTexts;
}

/** The same index before ranks are known: `sortedTitles` and `postings` hold texts instead. */
type UnrankedTitles = Omit<TitleIndex, "nodes" | "texts" | "ranks" | "lengths">;

/** Bounds the time to sort the suffixes of long, repetitive terms. */
const suffixDepth = 32;

/** Aliases of a graph's nodes. */
interface Aliases {
  readonly texts: readonly string[];
  /** The node of each, ascending. */
  readonly owners: Uint32Array;
}

/** Leaves out the aliases of nodes that the graph does not have. */
export function collectAliases(rows: Iterable<AliasRow>, lookUp: IdLookup): Aliases {
  const texts: string[] = [];
  const owners = new GrowingColumn();
  for (const { id, aliases } of rows) {
    const node = lookUp(packIds(id), 0);
    if (node < 0) continue;
    for (const alias of aliases) {
      texts.push(alias);
      owners.push(node);
    }
  }
  return { texts, owners: owners.values() };
}

/** The titles of an earlier graph, and their index. */
interface EarlierTitles {
  readonly nodes: { readonly titles: TextColumn };
  readonly titles: TitleIndex;
}

/** Indexes the titles of nodes, and their aliases as further titles. Keeps an earlier index of the same ones. */
export function indexTitles(titles: TextColumn, aliases: Aliases, earlier?: EarlierTitles): UnrankedTitles {
  const nodeCount = titles.offsets.length - 1;
  if (
    earlier &&
    isSameText(titles, earlier.nodes.titles) &&
    hasAliases(earlier.titles, nodeCount, aliases.texts)
  )
    return unranked(earlier.titles);
  const count = nodeCount + aliases.texts.length;
  const textOf = (text: number) =>
    (text < nodeCount ? textAt(titles, text) : aliases.texts[text - nodeCount]) ?? "";
  const length = aliases.texts.reduce((sum, alias) => sum + alias.length, titles.bytes.length);
  const packed = packFolded(count, textOf, length + count);
  return {
    titles: packed,
    sortedTitles: sortTexts(packed, packed.offsets.slice(0, -1)),
    ...indexTerms(packed),
  };
}

const isSameText = (one: TextColumn, other: TextColumn) =>
  isSameColumn(one.offsets, other.offsets) && isSameColumn<Uint8Array>(one.bytes, other.bytes);

/** Whether an index of as many titles has the same aliases, whichever nodes have them. */
function hasAliases({ ranks, titles }: TitleIndex, titleCount: number, words: readonly string[]): boolean {
  const { units, offsets } = titles;
  if (ranks.length !== titleCount || offsets.length - 1 - titleCount !== words.length) return false;
  const folded = packFolded(words.length, (alias) => words[alias] ?? "", 0);
  const first = at(offsets, titleCount);
  return (
    isSameColumn(folded.units, units.slice(first, first + folded.units.length)) &&
    folded.offsets.every((offset, alias) => offset + first === at(offsets, titleCount + alias))
  );
}

/** An index of titles without its ranks. */
function unranked(ranked: TitleIndex): UnrankedTitles {
  const { nodes: _nodes, texts, ranks: _ranks, lengths: _lengths, ...index } = ranked;
  const { positions, owners } = index.sortedTitles;
  return {
    ...index,
    sortedTitles: { positions, owners: picked(texts, owners) },
    postings: picked(texts, index.postings),
  };
}

/** The distinct terms of titles, sorted, and the titles that contain each. */
function indexTerms({ units, offsets }: PackedTexts): Omit<UnrankedTitles, "titles" | "sortedTitles"> {
  const table = new TermTable(units);
  const numbers = new GrowingColumn();
  const titles = new GrowingColumn();
  for (let title = 0; title + 1 < offsets.length; title += 1) {
    forEachTerm(units, at(offsets, title), at(offsets, title + 1) - 1, (from, to, isFreeSign) => {
      numbers.push(table.numberOf(from, to, isFreeSign));
      titles.push(title);
    });
  }
  const asFound = table.packed(identityOrder(table.size));
  const inOrder = sortTexts(asFound, asFound.offsets.slice(0, -1)).owners;
  const terms = table.packed(inOrder);
  const entries = picked(inverse(inOrder), numbers.values());
  return {
    terms,
    postings: sortByKeys(titles.values(), entries, table.size),
    postingOffsets: startsOf(entries, table.size),
    suffixes: sortTexts(terms, suffixPositions(terms), suffixDepth),
  };
}

function suffixPositions({ units, offsets }: PackedTexts): Uint32Array {
  const positions = new Uint32Array(Math.max(0, units.length - 2 * (offsets.length - 1)));
  let count = 0;
  for (let term = 0; term + 1 < offsets.length; term += 1) {
    for (let position = at(offsets, term) + 1; position < at(offsets, term + 1) - 1; position += 1) {
      positions[count] = position;
      count += 1;
    }
  }
  return positions;
}

/** Gives the titles of an index their ranks. `order`: the nodes in the order of results within one kind of match (GRAPH-2). */
export function rankTitles(index: UnrankedTitles, order: Uint32Array, aliases: Aliases): TitleIndex {
  const { nodes, texts } = textsByRank(order, aliases);
  const ranks = inverse(texts);
  const { positions, owners } = index.sortedTitles;
  return {
    ...index,
    nodes,
    texts,
    ranks: order.length === ranks.length ? ranks : ranks.slice(0, order.length),
    lengths: narrowed(texts.map((text) => codePointsOf(index.titles, text))),
    sortedTitles: { positions, owners: picked(ranks, owners) },
    postings: picked(ranks, index.postings),
  };
}

function codePointsOf({ units, offsets }: PackedTexts, text: number): number {
  const end = at(offsets, text + 1) - 1;
  let count = 0;
  for (let position = at(offsets, text); position < end; position += lengthAt(units, position)) count += 1;
  return count;
}

function textsByRank(order: Uint32Array, { owners }: Aliases): Pick<TitleIndex, "nodes" | "texts"> {
  if (owners.length === 0) return { nodes: order, texts: order };
  const firstAliases = startsOf(owners, order.length);
  const nodes = new Uint32Array(order.length + owners.length);
  const texts = new Uint32Array(nodes.length);
  let rank = 0;
  const append = (node: number, text: number) => {
    nodes[rank] = node;
    texts[rank] = text;
    rank += 1;
  };
  for (const node of order) {
    append(node, node);
    for (let alias = at(firstAliases, node); alias < at(firstAliases, node + 1); alias += 1)
      append(node, order.length + alias);
  }
  return { nodes, texts };
}

const picked = (column: Uint32Array, rows: Uint32Array): Uint32Array => rows.map((row) => at(column, row));

/** The suffixes that start with a text, or with its first `suffixDepth` units. */
export function suffixesWith({ terms, suffixes }: TitleIndex, text: string): Range {
  return rangeOf(terms.units, suffixes.positions, text.slice(0, suffixDepth));
}

/** Calls `found` with each term that contains a text, and the text's position there; not if the term starts with it. */
export function forEachSuffix(
  index: TitleIndex,
  text: string,
  found: (term: number, position: number) => void,
): void {
  const { units } = index.terms;
  const { positions, owners } = index.suffixes;
  const { from, to } = suffixesWith(index, text);
  for (let suffix = from; suffix < to; suffix += 1) {
    const position = at(positions, suffix);
    if (text.length <= suffixDepth || compareText(units, position, text) === 0) {
      found(at(owners, suffix), position);
    }
  }
}
