import type { OpenBlock } from "../segments/block.ts";
import type { BlockStore } from "../segments/block-store.ts";
import { at, byteAt } from "../segments/bytes.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { decodePostings, newPostings, PositionReader, type Postings } from "../segments/postings.ts";
import type { IndexView } from "./index-view.ts";
import { loadParts, partsOf, type SegmentList, type Slot, type WantedPart } from "./term-lists.ts";

/**
 * Where a phrase may begin in a segment: the page times 2²⁸, plus the position, ascending. With each goes which of
 * title and headings all terms so far are in.
 */
interface Starts {
  keys: Float64Array;
  flags: Uint8Array;
  length: number;
}

const pageUnit = 2 ** 28;

/**
 * Finds a phrase: the sections in which it begins, for each segment. Its rarest term says which pages are looked at for
 * the other terms; of long lists only the parts with these pages are read.
 *
 * @param before Only pages of nodes below this one count.
 */
export async function findPhrase(
  view: IndexView,
  store: BlockStore,
  slots: readonly Slot[],
  before: number,
): Promise<Postings[]> {
  const order = slots.map((slot, offset) => ({ slot, offset })).sort((a, b) => a.slot.count - b.slot.count);
  let found: Starts[] | null = null;
  for (const { slot, offset } of order) {
    const pages: Uint32Array[] | null = found?.map(pagesOf) ?? null;
    const parts: WantedPart[] = partsOf(slot.lists, before).filter(
      (part) => pages === null || mayHave(part, pages),
    );
    await loadParts(store, parts, true);
    const starts: Starts[] = view.segments.map((segment, input) => {
      const own = parts.filter(({ of }) => of.input === input);
      return readStarts(segment, own, { offset, before, pages: pages?.[input] ?? null });
    });
    found = found === null ? starts : found.map((earlier, input) => common(earlier, starts[input] as Starts));
  }
  return view.segments.map((segment, input) => sectionsOf(segment, found?.[input] as Starts));
}

function pagesOf({ keys, length }: Starts): Uint32Array {
  const pages = new Uint32Array(length);
  let count = 0;
  for (let index = 0; index < length; index += 1) {
    const page = Math.floor((keys[index] as number) / pageUnit);
    if (count > 0 && pages[count - 1] === page) continue;
    pages[count] = page;
    count += 1;
  }
  return pages.subarray(0, count);
}

/** Whether a part may have one of these pages of its segment. */
function mayHave({ of, part }: WantedPart, pages: readonly Uint32Array[]): boolean {
  const candidates = pages[of.input] as Uint32Array;
  const { pages: columns } = of.segment;
  const first = at(columns.pageOf, of.list.parts[part]?.firstSection ?? 0);
  const next = of.list.parts[part + 1];
  const last = next === undefined ? columns.pageCount : at(columns.pageOf, next.firstSection);
  const index = lowerBound(candidates, first);
  return index < candidates.length && at(candidates, index) <= last;
}

/** The first index whose value is not below `least`. */
export function lowerBound(ascending: Uint32Array, least: number, length = ascending.length): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (at(ascending, middle) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Wanted {
  /** The number of the term within the phrase. */
  readonly offset: number;
  readonly before: number;
  /** The pages to look at; null for all. */
  readonly pages: Uint32Array | null;
}

function readStarts(segment: StoredSegment, parts: readonly WantedPart[], wanted: Wanted): Starts {
  const starts = { keys: new Float64Array(256), flags: new Uint8Array(256), length: 0 };
  const lists = new Set<SegmentList>();
  for (const { of, part } of parts) {
    readPartStarts(segment, of, part, wanted, starts);
    lists.add(of);
  }
  return lists.size > 1 ? sorted(starts) : starts;
}

function readPartStarts(
  { pages, live }: StoredSegment,
  { list, blocks }: SegmentList,
  part: number,
  wanted: Wanted,
  into: Starts,
): void {
  const block = blocks[part] as OpenBlock;
  const count = list.parts[part]?.count ?? 0;
  const postings = newPostings(count);
  const start = part === 0 ? list.postingsStart : block.bodyStart;
  decodePostings(block.postings, start, count, pages.sectionCount, postings);
  const reader = new PositionReader(block.positions, part === 0 ? list.positionsStart : 4);
  const { sections, values, length } = postings;
  let candidate = wanted.pages === null ? 0 : lowerBound(wanted.pages, at(pages.pageOf, at(sections, 0)));
  let skipped = 0;
  for (let index = 0; index < length; index += 1) {
    const section = at(sections, index);
    const value = at(values, index);
    const page = at(pages.pageOf, section);
    if (wanted.pages !== null) {
      while (candidate < wanted.pages.length && at(wanted.pages, candidate) < page) candidate += 1;
      if (candidate === wanted.pages.length) return;
    }
    const isWanted =
      wanted.pages === null ? at(live.nodeOf, page) < wanted.before : wanted.pages[candidate] === page;
    if (!isWanted) {
      skipped += value >>> 2;
      continue;
    }
    reader.skip(skipped);
    skipped = 0;
    reserve(into, value >>> 2);
    const base = at(pages.bases, section) - wanted.offset;
    readPositions(reader, value, page * pageUnit, base, into);
  }
}

function readPositions(
  reader: PositionReader,
  value: number,
  page: number,
  base: number,
  into: Starts,
): void {
  let position = base - 1;
  for (let left = value >>> 2; left > 0; left -= 1) {
    position += reader.next() + 1;
    if (position < 0) continue;
    into.keys[into.length] = page + position;
    into.flags[into.length] = value & 3;
    into.length += 1;
  }
}

function reserve(starts: Starts, more: number): void {
  if (starts.length + more <= starts.keys.length) return;
  const keys = new Float64Array(Math.max(2 * starts.keys.length, starts.length + more));
  const flags = new Uint8Array(keys.length);
  keys.set(starts.keys.subarray(0, starts.length));
  flags.set(starts.flags.subarray(0, starts.length));
  starts.keys = keys;
  starts.flags = flags;
}

/** Sorts the starts of several terms. No two terms have the same position. */
function sorted({ keys, flags, length }: Starts): Starts {
  const joined = new Float64Array(length);
  for (let index = 0; index < length; index += 1)
    joined[index] = (keys[index] as number) * 4 + byteAt(flags, index);
  joined.sort();
  for (let index = 0; index < length; index += 1) {
    const key = Math.floor((joined[index] as number) / 4);
    keys[index] = key;
    flags[index] = (joined[index] as number) - key * 4;
  }
  return { keys, flags, length };
}

/** The starts that are in both. */
function common(a: Starts, b: Starts): Starts {
  let kept = 0;
  let other = 0;
  for (let index = 0; index < a.length; index += 1) {
    const key = a.keys[index] as number;
    while (other < b.length && (b.keys[other] as number) < key) other += 1;
    if (other === b.length) break;
    if (b.keys[other] !== key) continue;
    a.keys[kept] = key;
    a.flags[kept] = byteAt(a.flags, index) & byteAt(b.flags, other);
    kept += 1;
  }
  a.length = kept;
  return a;
}

/** The sections in which phrases begin, each with their number and where they are. */
function sectionsOf({ pages }: StoredSegment, { keys, flags, length }: Starts): Postings {
  const found = newPostings(length);
  let last = -1;
  for (let index = 0; index < length; index += 1) {
    const key = keys[index] as number;
    const page = Math.floor(key / pageUnit);
    const section = sectionAt(pages, page, key - page * pageUnit);
    if (section !== last) {
      last = section;
      found.sections[found.length] = section;
      found.length += 1;
    }
    const value = at(found.values, found.length - 1);
    found.values[found.length - 1] = (value + 4) | byteAt(flags, index);
  }
  return found;
}

/** The section of a page that has the position. */
function sectionAt(pages: StoredSegment["pages"], page: number, position: number): number {
  let low = at(pages.firstSections, page);
  let high = at(pages.firstSections, page + 1);
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (at(pages.bases, middle) <= position) low = middle;
    else high = middle;
  }
  return low;
}
