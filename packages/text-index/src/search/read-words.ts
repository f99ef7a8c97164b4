import type { BlockStore } from "../segments/block-store.ts";
import { at } from "../segments/bytes.ts";
import { dead } from "../segments/live-pages.ts";
import { newPostings, type Postings } from "../segments/postings.ts";
import type { QueryWord } from "../text/types.ts";
import type { IndexView } from "./index-view.ts";
import { findPhrase } from "./phrase.ts";
import {
  findPrefix,
  findTerms,
  firstNode,
  loadParts,
  partsOf,
  readPart,
  readSlot,
  type Slot,
  type WantedPart,
} from "./term-lists.ts";

/** A word with its live postings. */
export interface ReadWord {
  /** Its number among the words of the query and, behind them, the excluded ones. */
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
}

/** What a query may read. */
export interface ReadLimits {
  /** Postings of live pages, all words together. */
  readonly entries: number;
  /** Whether time is over; words that were not read by then are left out. */
  isOver(): boolean;
}

interface PlannedWord {
  readonly word: number;
  readonly slots: readonly Slot[];
  /** The rarest of its slots. */
  readonly rarest: Slot;
  /** The cost is at least this. */
  readonly leastCost: number;
  /** Postings of live pages of the rarest slot, times the number of slots; null before they were read. */
  cost: number | null;
  inputs: readonly Postings[];
}

/**
 * Reads the postings of words, the rarest first, until the next word would exceed the limit of entries. What is read
 * depends on the live pages alone, not on how they are spread over segments. If all words to look for are too frequent,
 * the first postings of the rarest are read, in the order of nodes.
 *
 * @param words The words to look for, then those to leave out.
 * @param wanted How many are to be looked for.
 */
export async function readWords(
  view: IndexView,
  store: BlockStore,
  words: readonly QueryWord[],
  wanted: number,
  limits: ReadLimits,
): Promise<ReadResult> {
  const planned = await planWords(view, store, words, limits);
  await readRarest(view, store, planned.toSorted(byLeastCost), limits);
  const chosen: PlannedWord[] = [];
  let left = limits.entries;
  for (const word of planned.filter(({ cost }) => cost !== null).sort(byCost)) {
    left -= word.cost ?? 0;
    if (left < 0) break;
    chosen.push(word);
  }
  let isCut = chosen.some(({ slots }) => slots.some((slot) => slot.isCut));
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
  return { read: chosen, ignored, isCut };
}

const byLeastCost = (a: PlannedWord, b: PlannedWord) =>
  compareNumbers(a.leastCost, b.leastCost) || a.word - b.word;
const byCost = (a: PlannedWord, b: PlannedWord) =>
  compareNumbers(a.cost ?? a.leastCost, b.cost ?? b.leastCost) || a.word - b.word;

/** Subtraction does not order infinities. */
const compareNumbers = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1);

/** Reads every word that may be among the rarest ones within the limit, in as few calls as possible. */
async function readRarest(
  view: IndexView,
  store: BlockStore,
  planned: readonly PlannedWord[],
  limits: ReadLimits,
): Promise<void> {
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
  const toRead = batch.filter(({ slots, rarest }) => slots.length === 1 || rarest.leastLive < rarest.count);
  await loadParts(
    store,
    toRead.flatMap(({ rarest }) => partsOf(rarest.lists, dead)),
    false,
  );
  for (const word of batch) {
    const { slots, rarest } = word;
    if (slots.length === 1) {
      const { inputs, count } = readSlot(view, rarest, dead);
      word.cost = count;
      word.inputs = inputs;
      continue;
    }
    const count = toRead.includes(word) ? readSlot(view, rarest, dead).count : rarest.count;
    word.cost = count * slots.length;
    if (word.cost <= entries) word.inputs = await findPhrase(view, store, slots, dead);
  }
}

/** Reads the first postings of a word that is too frequent. */
async function readFirst(
  view: IndexView,
  store: BlockStore,
  word: PlannedWord,
  entries: number,
): Promise<void> {
  const before = await cutOff(store, word.rarest, Math.floor(entries / word.slots.length));
  word.cost = entries;
  word.inputs =
    word.slots.length === 1
      ? readSlot(view, word.rarest, before).inputs
      : await findPhrase(view, store, word.slots, before);
}

/** Nodes are left out in groups of this size. */
const cutNodes = 256;

/** The node at which to end so that about `most` postings of the slot are read. Loads the parts of the nodes below it. */
async function cutOff(store: BlockStore, slot: Slot, most: number): Promise<number> {
  const parts = partsOf(slot.lists, dead)
    .map((part) => ({
      ...part,
      node: firstNode(part.of.segment, part.of.list.parts[part.part]?.firstSection ?? 0),
    }))
    .sort((a, b) => a.node - b.node);
  const counts = new Map<number, number>();
  for (let next = 0; next < parts.length; ) {
    const first = next;
    for (let expected = 0; next < parts.length && expected <= most; next += 1) {
      const part = parts[next];
      expected += part?.of.list.parts[part.part]?.count ?? 0;
    }
    const batch = parts.slice(first, next);
    await loadParts(store, batch, false);
    for (const part of batch) countNodes(part, counts);
    const end = endOf(counts, most, parts[next]?.node ?? dead);
    if (end !== null) return end;
  }
  return dead;
}

function countNodes(part: WantedPart, counts: Map<number, number>): void {
  const { pages, live } = part.of.segment;
  const postings = newPostings(part.of.list.parts[part.part]?.count ?? 0);
  readPart(part, dead, postings);
  let group = -1;
  let count = 0;
  for (let index = 0; index < postings.length; index += 1) {
    const of = Math.floor(at(live.nodeOf, at(pages.pageOf, at(postings.sections, index))) / cutNodes);
    if (of !== group) {
      if (count > 0) counts.set(group, (counts.get(group) ?? 0) + count);
      group = of;
      count = 0;
    }
    count += 1;
  }
  if (count > 0) counts.set(group, (counts.get(group) ?? 0) + count);
}

/** Where the groups exceed `most` postings, null if not below `horizon`, from which on not all were counted. */
function endOf(counts: ReadonlyMap<number, number>, most: number, horizon: number): number | null {
  let total = 0;
  for (const [group, count] of [...counts].sort(([a], [b]) => a - b)) {
    if ((group + 1) * cutNodes > horizon) return null;
    total += count;
    if (total > most) return Math.max(group, 1) * cutNodes;
  }
  return null;
}

async function planWords(
  view: IndexView,
  store: BlockStore,
  words: readonly QueryWord[],
  { entries }: ReadLimits,
): Promise<PlannedWord[]> {
  const utf8 = new TextEncoder();
  const whole = words.flatMap(({ terms, prefix }) => (prefix ? terms.slice(0, -1) : terms));
  const distinct = [...new Set(whole)];
  const found = await findTerms(
    view,
    store,
    distinct.map((term) => utf8.encode(term)),
  );
  const slots = new Map(distinct.map((term, index) => [term, found[index] as Slot]));
  return await Promise.all(
    words.map(async ({ terms, prefix }, word) => {
      const own = await Promise.all(
        terms.map((term, index) =>
          prefix && index === terms.length - 1
            ? findPrefix(view, store, utf8.encode(term), mostPrefix * entries)
            : (slots.get(term) as Slot),
        ),
      );
      const rarest = own.reduce((a, b) => (b.count < a.count ? b : a));
      const leastCost = rarest.isCut ? Number.POSITIVE_INFINITY : own.length * rarest.leastLive;
      return { word, slots: own, rarest, leastCost, cost: null, inputs: [] };
    }),
  );
}

/** How many times the limit of entries the terms of a prefix may have, with those of dead pages, to be read at all. */
const mostPrefix = 2;
