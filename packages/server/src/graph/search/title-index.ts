import { at } from "../column.ts";
import { asTheyStand, type Order, sortRows, startsOf } from "../counting-sort.ts";
import { fold } from "./fold.ts";
import { GrowingColumn } from "./growing-column.ts";
import { type PackedTexts, packUnits } from "./packed-texts.ts";
import { RunTable } from "./run-table.ts";
import { forEachRun } from "./runs.ts";
import { compareText, type Range, rangeOf, sortPositions } from "./sorted-positions.ts";

/**
 * The folded titles of a graph's nodes and where their words stand. Nodes are known by their places: their order within
 * one kind of match, so that sets of them are in the order of the answer.
 */
export interface TitleIndex {
  /** The nodes, by their places. */
  readonly nodes: Order;
  readonly titles: PackedTexts;
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

/** Bounds the time that it takes to sort the suffixes of long runs that repeat themselves. */
const suffixDepth = 32;

/** Indexes the titles of nodes, given in the order that they have within one kind of match. */
export function indexTitles(nodes: Order, titleOf: (node: number) => string): TitleIndex {
  const packed = packUnits(Array.from(nodes, (node) => fold(titleOf(node))));
  const { runs, entries, places } = collectRuns(packed);
  const runCount = runs.offsets.length - 1;
  return {
    nodes,
    titles: packed,
    sortedTitles: sorted(packed, packed.offsets.slice(0, -1), Number.POSITIVE_INFINITY),
    runs,
    postings: sortRows(asTheyStand(entries.length), entries, runCount).map((row) => at(places, row)),
    postingOffsets: startsOf(entries, runCount),
    suffixes: sorted(runs, suffixPositions(runs), suffixDepth),
  };
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

/** The distinct runs of titles, sorted, and each occurrence of one: which, and in which title. */
function collectRuns({ units, offsets }: PackedTexts): {
  runs: PackedTexts;
  entries: Uint32Array;
  places: Uint32Array;
} {
  const table = new RunTable(units);
  const occurrences = new GrowingColumn();
  const places = new GrowingColumn();
  for (let place = 0; place + 1 < offsets.length; place += 1) {
    forEachRun(units, at(offsets, place), at(offsets, place + 1) - 1, (from, to, isFreeSign) => {
      occurrences.push(table.numberOf(from, to, isFreeSign));
      places.push(place);
    });
  }
  const asFound = table.packed(asTheyStand(table.size));
  const inOrder = sorted(asFound, asFound.offsets.slice(0, -1), Number.POSITIVE_INFINITY).owners;
  const ranks = new Uint32Array(table.size);
  inOrder.forEach((number, rank) => {
    ranks[number] = rank;
  });
  return {
    runs: table.packed(inOrder),
    entries: occurrences.taken().map((number) => at(ranks, number)),
    places: places.taken(),
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
  return { positions, owners: positions.map((position) => ownerOf(offsets, position)) };
}

/** The text that a position lies in. */
function ownerOf(offsets: Uint32Array, position: number): number {
  let [low, high] = [0, offsets.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (at(offsets, middle) <= position) low = middle;
    else high = middle;
  }
  return low;
}
