import { at } from "../column.ts";
import { identityOrder, type Order, sortValues, startsOf } from "../counting-sort.ts";
import { type TextColumn, textAt } from "../text-column.ts";
import type { Aliases } from "./aliases.ts";
import { GrowingColumn } from "./growing-column.ts";
import { type PackedTexts, packFolded } from "./packed-texts.ts";
import { RunTable } from "./run-table.ts";
import { forEachRun } from "./runs.ts";
import { compareText, type Range, rangeOf, sortPositions } from "./sorted-positions.ts";
import { textLookup } from "./text-lookup.ts";

/**
 * The folded titles and aliases of a graph's nodes and where their words stand. What is found are places: where a title
 * stands in the order of the nodes within one kind of match, so that sets of them are in the order of the answer. A
 * node's aliases have the places right behind its title's.
 */
export interface TitleIndex {
  /** The nodes, by places. */
  readonly nodes: Order;
  /** Which of `titles` stands at each place. The same column as `nodes` where no node has an alias. */
  readonly texts: Order;
  /** The titles, by nodes; behind them the aliases. */
  readonly titles: PackedTexts;
  /** Their owners are places. */
  readonly sortedTitles: SortedTexts;
  /** The distinct runs of all titles as `forEachRun` gives them, sorted. A free sign has a space before it. */
  readonly runs: PackedTexts;
  /** The places of the titles that have each run, run after run. */
  readonly postings: Uint32Array;
  /** Where the postings of each run begin, and after the last where they end. */
  readonly postingOffsets: Uint32Array;
  /** Where in `runs` anything begins but the runs themselves: a suffix array, sorted as far as `suffixDepth` units. */
  readonly suffixes: SortedTexts;
}

/** Positions in packed texts, sorted by what stands there. */
interface SortedTexts {
  readonly positions: Uint32Array;
  /** The text that each position belongs to. */
  readonly owners: Uint32Array;
}

/** An index of titles whose order is not known yet: it has nodes where the other has places. */
export type UnrankedTitles = Omit<TitleIndex, "nodes" | "texts">;

/** Bounds the time that it takes to sort the suffixes of long runs that repeat themselves. */
const suffixDepth = 32;

/** Indexes the titles of nodes, and their aliases as further titles. */
export function indexTitles(titles: TextColumn, aliases: Aliases): UnrankedTitles {
  const nodeCount = titles.offsets.length - 1;
  const count = nodeCount + aliases.texts.length;
  const textOf = (text: number) =>
    (text < nodeCount ? textAt(titles, text) : aliases.texts[text - nodeCount]) ?? "";
  const length = aliases.texts.reduce((sum, alias) => sum + alias.length, titles.bytes.length);
  const packed = packFolded(count, textOf, length + count);
  return {
    titles: packed,
    sortedTitles: sorted(packed, packed.offsets.slice(0, -1), Number.POSITIVE_INFINITY),
    ...indexRuns(packed),
  };
}

/** Ranks the titles of an index in the order that their nodes have within one kind of match. */
export function rankTitles(titles: UnrankedTitles, order: Order, aliases: Aliases): TitleIndex {
  const { nodes, texts } = placesOf(order, aliases);
  const places = new Uint32Array(texts.length);
  for (let place = 0; place < texts.length; place += 1) places[at(texts, place)] = place;
  const { positions, owners } = titles.sortedTitles;
  return {
    ...titles,
    nodes,
    texts,
    sortedTitles: { positions, owners: picked(places, owners) },
    postings: picked(places, titles.postings),
  };
}

/** What stands at each place: the titles in the order of their nodes, each with the node's aliases behind it. */
function placesOf(order: Order, { owners }: Aliases): Pick<TitleIndex, "nodes" | "texts"> {
  if (owners.length === 0) return { nodes: order, texts: order };
  const firstAliases = startsOf(owners, order.length);
  const nodes = new Uint32Array(order.length + owners.length);
  const texts = new Uint32Array(nodes.length);
  let place = 0;
  const put = (node: number, text: number) => {
    nodes[place] = node;
    texts[place] = text;
    place += 1;
  };
  for (const node of order) {
    put(node, node);
    for (let alias = at(firstAliases, node); alias < at(firstAliases, node + 1); alias += 1)
      put(node, order.length + alias);
  }
  return { nodes, texts };
}

/** The suffixes that begin with a text, or with as much of it as they are sorted by. */
export function suffixesWith({ runs, suffixes }: TitleIndex, text: string): Range {
  return rangeOf(runs.units, suffixes.positions, text.slice(0, suffixDepth));
}

/** Where a text stands in runs, other than at their beginnings. */
export function forEachSuffix(
  index: TitleIndex,
  text: string,
  found: (run: number, position: number) => void,
): void {
  const { units } = index.runs;
  const { positions, owners } = index.suffixes;
  const { from, to } = suffixesWith(index, text);
  for (let suffix = from; suffix < to; suffix += 1) {
    const position = at(positions, suffix);
    if (text.length <= suffixDepth || compareText(units, position, text) === 0) {
      found(at(owners, suffix), position);
    }
  }
}

/** The distinct runs of titles, sorted, and the titles that have each. */
function indexRuns({
  units,
  offsets,
}: PackedTexts): Pick<TitleIndex, "runs" | "postings" | "postingOffsets" | "suffixes"> {
  const table = new RunTable(units);
  const occurrences = new GrowingColumn();
  const owners = new GrowingColumn();
  for (let title = 0; title + 1 < offsets.length; title += 1) {
    forEachRun(units, at(offsets, title), at(offsets, title + 1) - 1, (from, to, isFreeSign) => {
      occurrences.push(table.numberOf(from, to, isFreeSign));
      owners.push(title);
    });
  }
  const asFound = table.packed(identityOrder(table.size));
  const inOrder = sorted(asFound, asFound.offsets.slice(0, -1), Number.POSITIVE_INFINITY).owners;
  const ranks = new Uint32Array(table.size);
  inOrder.forEach((number, rank) => {
    ranks[number] = rank;
  });
  const runs = table.packed(inOrder);
  const entries = picked(ranks, occurrences.taken());
  return {
    runs,
    postings: sortValues(owners.taken(), entries, table.size),
    postingOffsets: startsOf(entries, table.size),
    suffixes: sorted(runs, suffixPositions(runs), suffixDepth),
  };
}

function suffixPositions({ units, offsets }: PackedTexts): Uint32Array {
  const positions = new Uint32Array(Math.max(0, units.length - 2 * (offsets.length - 1)));
  let count = 0;
  for (let run = 0; run + 1 < offsets.length; run += 1) {
    for (let position = at(offsets, run) + 1; position < at(offsets, run + 1) - 1; position += 1) {
      positions[count] = position;
      count += 1;
    }
  }
  return positions;
}

function sorted({ units, offsets }: PackedTexts, positions: Uint32Array, depth: number): SortedTexts {
  sortPositions(units, positions, depth);
  const textOf = textLookup(offsets);
  return { positions, owners: positions.map((position) => textOf(position)) };
}

/** The values of a column at the places that another has. */
function picked(column: Uint32Array, places: Uint32Array): Uint32Array {
  const values = new Uint32Array(places.length);
  for (let row = 0; row < places.length; row += 1) values[row] = at(column, at(places, row));
  return values;
}
