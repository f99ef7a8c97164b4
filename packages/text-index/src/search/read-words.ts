import { firstIndex } from "@clew/text/basics";
import type { BlockStore } from "../segments/block-store.ts";
import { at, compareBytes } from "../segments/bytes.ts";
import { dead } from "../segments/live-pages.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { newPostings, type Postings, reservePostings } from "../segments/postings.ts";
import type { QueryWord } from "../text/types.ts";
import type { IndexView } from "./index-view.ts";
import { findPhrase } from "./phrase.ts";
import {
  findPrefix,
  findTerms,
  firstNode,
  joinTerms,
  loadParts,
  partsOf,
  readLists,
  readPart,
  type SegmentList,
  type Slot,
  slotOf,
  type TermSlot,
  type WantedPart,
} from "./term-lists.ts";

/** A word with its live postings. */
export interface ReadWord {
  /** Its number among the words of the query and, after them, the excluded ones. */
  readonly word: number;
  /** For each segment, ascending. */
  readonly inputs: readonly Postings[];
}

export interface ReadResult {
  readonly read: readonly ReadWord[];
  /** The numbers of words that were left out. */
  readonly ignored: readonly number[];
  /** Whether only the first postings of a word were read. */
  readonly isCut: boolean;
  /** Entries of the limit that the words left. */
  readonly left: number;
  /** The terms that were looked up. */
  readonly slots: ReadonlyMap<string, TermSlot>;
}

/** The limits of a query. */
export interface ReadLimits {
  /** Postings of live pages, all words together. */
  readonly entries: number;
  /** Whether time is over; words that were not read by then are left out. */
  isOver(): boolean;
}

export interface PlannedWord {
  readonly word: number;
  readonly slots: readonly Slot[];
  /** The rarest of its slots. */
  readonly rarest: Slot;
  /** Whether the last slot stands for all terms with a prefix. */
  readonly hasPrefix: boolean;
  /** The number of entries that a posting of the rarest slot counts. */
  readonly perPosting: number;
  /** The cost is at least this. */
  readonly leastCost: number;
  /** Postings of live pages of the rarest slot, and at least those of a prefix, as often as they count; null before they were read. */
  cost: number | null;
  inputs: readonly Postings[];
}

/**
 * Reads the postings of words, the rarest first, until the next word would exceed the limit of entries. The selection
 * depends on the live pages alone, not on how they are spread over segments. If all words to look for are too frequent,
 * the first postings of the rarest are read, in the order of nodes.
 *
 * @param words The words to look for, then those to leave out.
 * @param wanted The number of words to look for.
 */
export async function readWords(
  view: IndexView,
  store: BlockStore,
  words: readonly QueryWord[],
  wanted: number,
  limits: ReadLimits,
): Promise<ReadResult> {
  const { planned, slots } = await planWords(view, store, words, limits);
  await readRarest(view, store, planned, limits);
  const chosen = rarestWithin(planned, limits.entries);
  let isCut = false;
  if (!chosen.some(({ word, cost }) => word < wanted && cost !== 0)) {
    const spent = chosen.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
    const rarest = planned.filter((word) => word.word < wanted && !chosen.includes(word)).sort(byCost)[0];
    if (rarest !== undefined && !limits.isOver()) {
      await readFirst(view, store, rarest, limits.entries - spent);
      chosen.push(rarest);
      isCut = true;
    }
  }
  const ignored = planned.filter((word) => !chosen.includes(word)).map(({ word }) => word);
  const spent = chosen.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  return { read: chosen, ignored, isCut, left: isCut ? 0 : limits.entries - spent, slots };
}

/** Those of the words that were read, the rarest first, until the next exceeds the limit. */
export function rarestWithin(planned: readonly PlannedWord[], entries: number): PlannedWord[] {
  const chosen: PlannedWord[] = [];
  let left = entries;
  for (const word of planned.filter(({ cost }) => cost !== null).sort(byCost)) {
    left -= word.cost ?? 0;
    if (left < 0) break;
    chosen.push(word);
  }
  return chosen;
}

const byLeastCost = (a: PlannedWord, b: PlannedWord) =>
  compareNumbers(a.leastCost, b.leastCost) || a.word - b.word;
const byCost = (a: PlannedWord, b: PlannedWord) =>
  compareNumbers(a.cost ?? a.leastCost, b.cost ?? b.leastCost) || a.word - b.word;

/** Subtraction does not order infinities. */
const compareNumbers = (a: number, b: number) => Number(a > b) - Number(a < b);

/** Reads every word that may be among the rarest ones within the limit, in as few calls as possible. */
export async function readRarest(
  view: IndexView,
  store: BlockStore,
  words: readonly PlannedWord[],
  limits: ReadLimits,
): Promise<void> {
  const planned = words.toSorted(byLeastCost);
  for (let next = 0; next < planned.length && !limits.isOver(); ) {
    const batch: PlannedWord[] = [];
    let least = 0;
    for (; next < planned.length; next += 1) {
      const word = planned[next] as PlannedWord;
      // Words that are surely rarer than this one come before it.
      const before = planned.filter(({ cost }) => cost !== null && cost <= word.leastCost);
      const spent = before.reduce((sum, { cost }) => sum + (cost ?? 0), least);
      if (spent + word.leastCost > limits.entries) break;
      batch.push(word);
      least += word.leastCost;
    }
    if (batch.length === 0) return;
    await readBatch(view, store, batch, limits);
  }
}

async function readBatch(
  view: IndexView,
  store: BlockStore,
  batch: readonly PlannedWord[],
  { entries }: ReadLimits,
): Promise<void> {
  await loadParts(
    store,
    batch.flatMap((word) => countedSlots(word).flatMap(({ lists }) => partsOf(lists, dead))),
  );
  for (const word of batch) {
    const { slots, rarest } = word;
    if (slots.length === 1) {
      const { inputs, count } = readLists(view, rarest.lists);
      word.cost = count * word.perPosting;
      word.inputs = inputs;
      continue;
    }
    const counted = countedSlots(word);
    const live = (slot: Slot) => (counted.includes(slot) ? readLists(view, slot.lists).count : slot.count);
    const prefix = word.hasPrefix ? slots.at(-1) : undefined;
    // A phrase costs what its rarest term does; the terms of a prefix are all read.
    word.cost = Math.max(
      live(rarest) * word.perPosting,
      prefix === undefined ? 0 : live(prefix) * joinedCost,
    );
    if (word.cost <= entries) word.inputs = await findPhrase(view, store, slots, dead);
  }
}

/** The slots whose live postings have to be counted: of a phrase, only if some may be dead. */
function countedSlots({ slots, rarest, hasPrefix }: PlannedWord): Slot[] {
  if (slots.length === 1) return [rarest];
  return slots.filter(
    (slot, index) =>
      slot.leastLive < slot.count && (slot === rarest || (hasPrefix && index === slots.length - 1)),
  );
}

/** Reads the first postings of a word that is too frequent. */
async function readFirst(
  view: IndexView,
  store: BlockStore,
  word: PlannedWord,
  entries: number,
): Promise<void> {
  word.cost = entries;
  if (word.slots.length === 1) {
    const most = Math.floor(entries / word.perPosting);
    const lists = word.hasPrefix ? await firstTerms(view, store, word.rarest, most) : word.rarest.lists;
    word.inputs = (await cutOff(view, store, lists, most)).inputs;
  } else {
    const slots = [...word.slots];
    const last = slots.at(-1);
    if (word.hasPrefix && last !== undefined) {
      const most = Math.floor(entries / joinedCost);
      slots[slots.length - 1] = slotOf(await firstTerms(view, store, last, most), false);
    }
    const rarest = slots.reduce((a, b) => (b.count < a.count ? b : a));
    const { before } = await cutOff(view, store, rarest.lists, Math.floor(entries / word.perPosting));
    word.inputs = await findPhrase(view, store, slots, before);
  }
}

/** The lists of the first terms of a prefix, in their order, until they have more than `most` live postings. */
async function firstTerms(
  view: IndexView,
  store: BlockStore,
  slot: Slot,
  most: number,
): Promise<SegmentList[]> {
  const sorted = slot.lists.toSorted((a, b) => compareBytes(a.term, b.term));
  const chosen: SegmentList[] = [];
  let total = 0;
  for (let next = 0; next < sorted.length && total <= most; ) {
    const first = sorted[next] as SegmentList;
    let end = next + 1;
    while (end < sorted.length && compareBytes(sorted[end]?.term ?? first.term, first.term) === 0) end += 1;
    const lists = sorted.slice(next, end);
    chosen.push(...lists);
    const { count, leastLive } = slotOf(lists, false);
    total += leastLive;
    if (total <= most && leastLive < count) {
      await loadParts(store, partsOf(lists, dead));
      total += readLists(view, lists).count - leastLive;
    }
    next = end;
  }
  return chosen;
}

interface Cut {
  /** The node at which to end. */
  readonly before: number;
  /** For each segment, the live postings of nodes below it, of all lists together. */
  readonly inputs: readonly Postings[];
}

/** Finds where to end so that at most `most` postings are read, and reads the parts up to there. */
async function cutOff(
  view: IndexView,
  store: BlockStore,
  lists: readonly SegmentList[],
  most: number,
): Promise<Cut> {
  const parts = partsOf(lists, dead)
    .map((part) => ({
      ...part,
      node: firstNode(part.of.segment, part.of.list.parts[part.part]?.firstSection ?? 0),
    }))
    .sort((a, b) => a.node - b.node);
  const inputs = view.segments.map(() => newPostings(0));
  for (let next = 0; next < parts.length; ) {
    const first = next;
    // Parts reach beyond one another and have dead postings, so a few more may be needed.
    const wanted = first === 0 ? most : most / 8;
    for (let expected = 0; next < parts.length && expected <= wanted; next += 1) {
      const part = parts[next];
      expected += part?.of.list.parts[part.part]?.count ?? 0;
    }
    await addParts(store, lists, parts.slice(first, next), inputs);
    // Not all parts were read that have nodes from here on.
    const horizon = parts[next]?.node ?? dead;
    if (next < parts.length && countBelow(view, inputs, horizon) <= most) continue;
    const before = nodeOfCount(view, inputs, most, horizon);
    inputs.forEach((postings, input) => {
      postings.length = indexOfNode(view.segments[input] as StoredSegment, postings, before);
    });
    return { before, inputs };
  }
  return { before: dead, inputs };
}

/** Reads parts of lists, and adds their postings to those of their segments. */
async function addParts(
  store: BlockStore,
  lists: readonly SegmentList[],
  parts: readonly WantedPart[],
  inputs: Postings[],
): Promise<void> {
  await loadParts(store, parts);
  for (const [input, own] of Map.groupBy(parts, ({ of }) => of.input)) {
    const into = inputs[input] as Postings;
    reservePostings(
      into,
      own.reduce((sum, { of, part }) => sum + (of.list.parts[part]?.count ?? 0), 0),
    );
    for (const part of own) readPart(part, into);
    const isOne = lists.filter((list) => list.input === input).length === 1;
    if (!isOne) inputs[input] = joinTerms(into);
  }
}

/** The highest node, at most `horizon`, below which there are at most `most` postings. */
function nodeOfCount(view: IndexView, inputs: readonly Postings[], most: number, horizon: number): number {
  let low = 0;
  let high = horizon;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countBelow(view, inputs, middle) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** The number of postings of nodes below `node`. */
function countBelow({ segments }: IndexView, inputs: readonly Postings[], node: number): number {
  return inputs.reduce(
    (sum, postings, input) => sum + indexOfNode(segments[input] as StoredSegment, postings, node),
    0,
  );
}

/** The first posting whose node is not below `node`. Nodes ascend with sections. */
function indexOfNode({ pages, live }: StoredSegment, { sections, length }: Postings, node: number): number {
  const nodeAt = (index: number) => at(live.nodeOf, at(pages.pageOf, at(sections, index)));
  return firstIndex(0, length, (index) => nodeAt(index) >= node);
}

async function planWords(
  view: IndexView,
  store: BlockStore,
  words: readonly QueryWord[],
  { entries }: ReadLimits,
): Promise<{ planned: PlannedWord[]; slots: ReadonlyMap<string, TermSlot> }> {
  const whole = words.flatMap(({ terms, prefix }) => (prefix ? terms.slice(0, -1) : terms));
  const distinct = [...new Set(whole)];
  const found = await findTerms(view, store, distinct);
  const slots = new Map(distinct.map((term, index) => [term, found[index] as TermSlot]));
  const planned = await Promise.all(
    words.map(async ({ terms, prefix }, word) => {
      const own = await Promise.all(
        terms.map((term, index) =>
          prefix && index === terms.length - 1
            ? findPrefix(view, store, term, (mostPrefix * entries) / joinedCost)
            : (slots.get(term) as Slot),
        ),
      );
      const rarest = own.reduce((a, b) => (b.count < a.count ? b : a));
      const isCut = own.some((slot) => slot.isCut);
      const perPosting = costOf(own, prefix);
      const leastCost = isCut ? Number.POSITIVE_INFINITY : rarest.leastLive * perPosting;
      return { word, slots: own, rarest, hasPrefix: prefix, perPosting, leastCost, cost: null, inputs: [] };
    }),
  );
  return { planned, slots };
}

/** A form of a word, to be read after the words. */
export function planForm(word: number, slot: Slot): PlannedWord {
  const leastCost = slot.leastLive * joinedCost;
  const of = { slots: [slot], rarest: slot, hasPrefix: false };
  return { word, ...of, perPosting: joinedCost, leastCost, cost: null, inputs: [] };
}

/** A posting of a phrase's rarest term, with its positions and those around it, is as much work as this many of a word. */
const positionsCost = 24;

/** Those of a prefix, and of forms, have to be sorted. */
const joinedCost = 2;

/** The number of entries that a posting of the rarest slot counts. */
function costOf(slots: readonly Slot[], hasPrefix: boolean): number {
  if (slots.length > 1) return positionsCost;
  return hasPrefix ? joinedCost : 1;
}

/** The multiple of the limit of entries that the postings of a prefix, with those of dead pages, may cost to be read at all. */
const mostPrefix = 2;
