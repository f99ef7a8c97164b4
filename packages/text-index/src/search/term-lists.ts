import { missingBlock, OpenBlock, type PartPlace, type TermList } from "../segments/block.ts";
import type { BlockStore, FoundBlock } from "../segments/block-store.ts";
import { at, compareBytes, IndexDamagedError } from "../segments/bytes.ts";
import { dead } from "../segments/live-pages.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { anyMark, markOf } from "../segments/positions.ts";
import { decodePostings, newPostings, type Postings } from "../segments/postings.ts";
import { hashOfTerm } from "../text/terms.ts";
import type { IndexView } from "./index-view.ts";

/** The list of a term in one segment, with those of its blocks that were read. */
export interface SegmentList {
  readonly term: Uint8Array;
  readonly segment: StoredSegment;
  /** The number of the segment in the view. */
  readonly input: number;
  readonly list: TermList;
  readonly blocks: (OpenBlock | null)[];
}

/** The lists of a term, or of a beginning of terms, in all segments. */
export interface Slot {
  readonly lists: readonly SegmentList[];
  /** Postings, those of dead pages too. */
  readonly count: number;
  /** Postings of live pages, at least. */
  readonly leastLive: number;
  /** The mark of the term that its neighbours store; `anyMark` for the beginning of terms. */
  readonly mark: number;
  /** Whether there are more lists, which were not read because these are already too long. */
  readonly isCut: boolean;
}

/** The lists of a whole term. */
export interface TermSlot extends Slot {
  /** For each segment, the block in which its list is, or would be. */
  readonly blocks: readonly OpenBlock[];
}

const utf8 = new TextEncoder();

/** The number of blocks of a segment that are read at a time for the beginning of a word: first few, then more. */
const firstRangeBlocks = 4;
const mostRangeBlocks = 64;

/** Finds the lists of terms with one call to the store for all terms and segments. */
export async function findTerms(
  view: IndexView,
  store: BlockStore,
  terms: readonly string[],
): Promise<TermSlot[]> {
  const encoded = terms.map((term) => utf8.encode(term));
  const blocks = await lookupAll(view, store, encoded);
  return encoded.map((term, number) => {
    const own = blocks.slice(number * view.segments.length, (number + 1) * view.segments.length);
    const lists = view.segments.flatMap((segment, input) => {
      const block = own[input] as OpenBlock;
      const list = block.find(term);
      return list === null ? [] : [{ term, segment, input, list: { ...list, term }, blocks: [block] }];
    });
    return { ...slotOf(lists, false, markOf(hashOfTerm(terms[number] ?? ""))), blocks: own };
  });
}

/** For each term and segment, the block in which the list of the term begins if the segment has it. */
async function lookupAll(
  view: IndexView,
  store: BlockStore,
  terms: readonly Uint8Array[],
): Promise<OpenBlock[]> {
  const keys = terms.flatMap((term) => view.segments.map(({ id }) => ({ segment: id, term })));
  if (keys.length === 0) return [];
  const found = await store.lookup(keys);
  const opened = new Map<FoundBlock, OpenBlock>();
  return keys.map((key, index) => {
    const block = found[index];
    if (block === undefined || block === null) throw missingBlock();
    if (compareBytes(block.term, key.term) > 0)
      throw new IndexDamagedError("the text index returned a wrong block");
    const open = opened.get(block) ?? new OpenBlock(block);
    opened.set(block, open);
    open.checkCovers(key.term);
    return open;
  });
}

/** Finds the lists of all terms with a prefix. Stops when they have more than `most` postings: see `Slot.isCut`. */
export async function findPrefix(
  view: IndexView,
  store: BlockStore,
  beginning: string,
  most: number,
): Promise<Slot> {
  const prefix = utf8.encode(beginning);
  const before = new Uint8Array([...prefix, 0xff]);
  const scans = (await lookupAll(view, store, [prefix])).map(
    (block, input) => new PrefixScan(view.segments[input] as StoredSegment, input, prefix, block),
  );
  for (let limit = firstRangeBlocks; ; limit = Math.min(2 * limit, mostRangeBlocks)) {
    const open = scans.filter((scan) => !scan.isDone);
    const lists = completeLists(scans, open);
    if (open.length === 0 || postingsOf(lists) > most) return slotOf(...wholeTerms(lists, most));
    const ranges = open.map(({ segment, last }) => ({ segment: segment.id, after: last, before, limit }));
    const found = await store.ranges(ranges);
    open.forEach((scan, index) => {
      scan.take(found[index] ?? [], limit);
    });
  }
}

/** The lists of the terms that were read from all segments. */
function completeLists(scans: readonly PrefixScan[], open: readonly PrefixScan[]): SegmentList[] {
  const lists = scans.flatMap((scan) => scan.lists);
  if (open.length === 0) return lists;
  const end = open.map((scan) => scan.end).reduce((a, b) => (compareBytes(b, a) < 0 ? b : a));
  return lists.filter(({ term }) => compareBytes(term, end) <= 0);
}

const postingsOf = (lists: readonly SegmentList[]) => lists.reduce((sum, { list }) => sum + list.count, 0);

/** Reads the terms with a prefix from one segment, block by block. */
class PrefixScan {
  readonly segment: StoredSegment;
  readonly lists: SegmentList[] = [];
  isDone = false;
  readonly #input: number;
  readonly #prefix: Uint8Array;
  #block: OpenBlock;

  constructor(segment: StoredSegment, input: number, prefix: Uint8Array, block: OpenBlock) {
    this.segment = segment;
    this.#input = input;
    this.#prefix = prefix;
    this.#block = block;
    this.#add(block);
  }

  /** The key of the last block that was read. */
  get last(): Uint8Array {
    // The parts of a long list have its term as their key, so that the next range begins after them.
    return this.#block.key.term;
  }

  /** The last term that was read; those of further blocks are above it. */
  get end(): Uint8Array {
    return this.lists.at(-1)?.term ?? noTerm;
  }

  /** Takes the blocks that follow. If they are fewer than were asked for, there are no more. */
  take(blocks: readonly FoundBlock[], limit: number): void {
    for (const found of blocks) {
      const block = new OpenBlock(found);
      if (!this.#block.precedes(block.key)) throw missingBlock();
      this.#block = block;
      this.#add(block);
    }
    if (blocks.length === limit) return;
    this.isDone = true;
    this.#block.checkEndsPrefix(this.#prefix);
  }

  #add(block: OpenBlock): void {
    for (const list of block.lists(this.#prefix)) {
      const term = list.term.slice();
      const own = { ...list, term };
      this.lists.push({ term, segment: this.segment, input: this.#input, list: own, blocks: [block] });
    }
  }
}

const noTerm = new Uint8Array(0);

/**
 * The lists to use, and whether there are more: the first terms, in their order, with just more than `most` postings. They
 * are the same however pages are spread over segments.
 */
function wholeTerms(lists: SegmentList[], most: number): [SegmentList[], boolean] {
  if (postingsOf(lists) <= most) return [lists, false];
  lists.sort((a, b) => compareBytes(a.term, b.term));
  let count = 0;
  let end = 0;
  for (const { list, term } of lists) {
    const isNext = end > 0 && compareBytes((lists[end - 1] as SegmentList).term, term) !== 0;
    if (count > most && isNext) break;
    count += list.count;
    end += 1;
  }
  return [lists.slice(0, end), true];
}

/** Sums up lists. */
export function slotOf(lists: readonly SegmentList[], isCut: boolean, mark = anyMark): Slot {
  let count = 0;
  let leastLive = 0;
  for (const { list, segment } of lists) {
    count += list.count;
    leastLive += Math.max(0, list.count - (segment.pages.sectionCount - segment.live.sectionCount));
  }
  return { lists, count, leastLive, mark, isCut };
}

/** A part of a list that has to be read. */
export interface WantedPart {
  readonly of: SegmentList;
  readonly part: number;
}

/** Reads the blocks of parts that were not read yet, with one call to the store. Parts of a list ascend. */
export async function loadParts(store: BlockStore, parts: readonly WantedPart[]): Promise<void> {
  const runs: { readonly of: SegmentList; readonly first: number; last: number }[] = [];
  const latest = new Map<SegmentList, (typeof runs)[number]>();
  for (const { of, part } of parts) {
    if (of.blocks[part]) continue;
    const run = latest.get(of);
    if (run?.last === part - 1) {
      run.last = part;
    } else {
      const next = { of, first: part, last: part };
      runs.push(next);
      latest.set(of, next);
    }
  }
  if (runs.length === 0) return;
  const found = await store.parts(
    runs.map(({ of, first, last }) => ({ segment: of.segment.id, term: of.term, first, last })),
  );
  for (const [index, { of, first, last }] of runs.entries()) {
    for (let part = first; part <= last; part += 1) {
      const block = found[index]?.[part - first];
      if (block?.part !== part || compareBytes(block.term, of.term) !== 0) throw missingBlock();
      of.blocks[part] = new OpenBlock(block);
    }
  }
}

/** The block of a part that was loaded, and where the part is in it. */
export function placeOf({ of, part }: WantedPart): { block: OpenBlock; place: PartPlace; count: number } {
  const block = of.blocks[part] as OpenBlock;
  const place = part === 0 ? of.list.start : block.furtherPart();
  return { block, place, count: of.list.parts[part]?.count ?? 0 };
}

/** Appends the live postings of a part that was loaded. */
export function readPart(wanted: WantedPart, into: Postings): void {
  const { segment } = wanted.of;
  const { block, place, count } = placeOf(wanted);
  const first = into.length;
  decodePostings(block.postings, place.postingsStart, count, segment.pages.sectionCount, into);
  if (segment.live.sectionCount < segment.pages.sectionCount) dropDead(segment, into, first);
}

function dropDead({ pages, live }: StoredSegment, into: Postings, first: number): void {
  const { sections, values } = into;
  let kept = first;
  for (let index = first; index < into.length; index += 1) {
    const section = at(sections, index);
    if (at(live.nodeOf, at(pages.pageOf, section)) === dead) continue;
    sections[kept] = section;
    values[kept] = at(values, index);
    kept += 1;
  }
  into.length = kept;
}

/** The parts of lists that may have nodes below `before`. */
export function partsOf(lists: readonly SegmentList[], before: number): WantedPart[] {
  return lists.flatMap((of) =>
    of.list.parts.flatMap(({ firstSection }, part) =>
      before === dead || firstNode(of.segment, firstSection) < before ? [{ of, part }] : [],
    ),
  );
}

/** The node of the first live page from this section on. */
export function firstNode({ pages, live }: StoredSegment, section: number): number {
  if (section >= pages.sectionCount)
    throw new IndexDamagedError("a list of the text index does not fit its segment");
  let page = at(pages.pageOf, section);
  while (page < pages.pageCount && at(live.nodeOf, page) === dead) page += 1;
  return page < pages.pageCount ? at(live.nodeOf, page) : dead;
}

/** The live postings of lists whose parts were loaded: for each segment, ascending. Counts them before terms are joined. */
export function readLists(
  view: IndexView,
  lists: readonly SegmentList[],
): { inputs: Postings[]; count: number } {
  const byInput = Map.groupBy(lists, ({ input }) => input);
  let count = 0;
  const inputs = view.segments.map((_, input) => {
    const own = byInput.get(input) ?? [];
    const postings = newPostings(own.reduce((sum, { list }) => sum + list.count, 0));
    for (const part of partsOf(own, dead)) readPart(part, postings);
    count += postings.length;
    return own.length > 1 ? joinTerms(postings) : postings;
  });
  return { inputs, count };
}

/** The postings of several terms as those of one. */
export function joinInputs(view: IndexView, terms: readonly (readonly Postings[])[]): Postings[] {
  return view.segments.map((_, input) =>
    terms.map((inputs) => inputs[input] as Postings).reduce((joined, each) => mergePostings(joined, each)),
  );
}

/** Merges the postings of two terms, each ascending, and joins those of one section. Takes as long as both together. */
function mergePostings(one: Postings, other: Postings): Postings {
  if (one.length === 0) return other;
  if (other.length === 0) return one;
  const merged = newPostings(one.length + other.length);
  let next = 0;
  for (let index = 0; index < one.length || next < other.length; merged.length += 1) {
    const own = index < one.length ? at(one.sections, index) : noSection;
    const others = next < other.length ? at(other.sections, next) : noSection;
    const value = own <= others ? at(one.values, index) : 0;
    const otherValue = others <= own ? at(other.values, next) : 0;
    merged.sections[merged.length] = Math.min(own, others);
    merged.values[merged.length] = sumOfValues(value, otherValue);
    if (own <= others) index += 1;
    if (others <= own) next += 1;
  }
  return merged;
}

/** Above all sections. */
const noSection = 0xffff_ffff;

/** The value of a section that has two terms. */
const sumOfValues = (one: number, other: number) => ((one >>> 2) + (other >>> 2)) * 4 + ((one | other) & 3);

/** Sorts the postings of several terms by section and joins those of one section: counts add up. */
export function joinTerms(postings: Postings): Postings {
  const { sections, values, length } = sortBySection(postings);
  let kept = -1;
  for (let index = 0; index < length; index += 1) {
    const section = at(sections, index);
    const value = at(values, index);
    if (kept >= 0 && at(sections, kept) === section) {
      values[kept] = sumOfValues(at(values, kept), value);
    } else {
      kept += 1;
      sections[kept] = section;
      values[kept] = value;
    }
  }
  return { sections, values, length: kept + 1 };
}

/** A radix sort with as many passes of 11 bits as the sections need. */
function sortBySection(postings: Postings): Postings {
  let from = postings;
  let to = newPostings(postings.length);
  let largest = 0;
  for (let index = 0; index < from.length; index += 1) largest = Math.max(largest, at(from.sections, index));
  for (let shift = 0; largest >>> shift > 0; shift += 11) {
    const starts = new Uint32Array(2049);
    for (let index = 0; index < from.length; index += 1) {
      const digit = ((at(from.sections, index) >>> shift) & 2047) + 1;
      starts[digit] = at(starts, digit) + 1;
    }
    for (let digit = 1; digit < 2049; digit += 1) starts[digit] = at(starts, digit) + at(starts, digit - 1);
    for (let index = 0; index < from.length; index += 1) {
      const section = at(from.sections, index);
      const digit = (section >>> shift) & 2047;
      const place = at(starts, digit);
      starts[digit] = place + 1;
      to.sections[place] = section;
      to.values[place] = at(from.values, index);
    }
    to.length = from.length;
    [from, to] = [to, from];
  }
  return from;
}
