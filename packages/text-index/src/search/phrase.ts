import { firstIndex } from "@clew/text/basics";
import type { BlockStore } from "../segments/block-store.ts";
import { at, byteAt } from "../segments/bytes.ts";
import { dead } from "../segments/live-pages.ts";
import type { StoredSegment } from "../segments/merge.ts";
import { anyMark, mayBeBetween, type PositionReader } from "../segments/positions.ts";
import { decodePostings, groupPostings, newPostings, type Postings } from "../segments/postings.ts";
import type { IndexView } from "./index-view.ts";
import { lowerBound } from "./lower-bound.ts";
import { PositionRows } from "./position-rows.ts";
import { loadParts, partsOf, placeOf, type SegmentList, type Slot, type WantedPart } from "./term-lists.ts";

/**
 * The places at which a phrase may begin in a segment: the page times 2²⁸, plus the position, ascending. With each goes which of
 * title and headings all terms so far are in.
 */
interface Starts {
  keys: Float64Array;
  flags: Uint8Array;
  length: number;
}

const pageUnit = 2 ** 28;

/**
 * Finds a phrase: the sections in which it begins, for each segment. Of its rarest term all positions are read, and those
 * kept whose neighbours may be the other terms. Of the other terms only the groups of postings are read that have these
 * sections, and only the positions in them.
 *
 * @param before Only pages of nodes below this one count.
 */
export async function findPhrase(
  view: IndexView,
  store: BlockStore,
  slots: readonly Slot[],
  before: number,
): Promise<Postings[]> {
  const byCount = [...slots.keys()].sort((a, b) => (slots[a]?.count ?? 0) - (slots[b]?.count ?? 0));
  let found: Starts[] | null = null;
  for (const offset of byCount) {
    found =
      found === null
        ? await readStarts(view, store, slots, offset, before)
        : await withTerm(view, store, slots[offset] as Slot, offset, found);
  }
  return view.segments.map((segment, input) => sectionsOf(segment, found?.[input] as Starts));
}

/** Reads the places at which the phrase may begin, by those of one of its terms. */
async function readStarts(
  view: IndexView,
  store: BlockStore,
  slots: readonly Slot[],
  offset: number,
  before: number,
): Promise<Starts[]> {
  const lists = slots[offset]?.lists ?? [];
  const parts = partsOf(lists, before);
  await loadParts(store, parts);
  const groups = parts.flatMap((part) => groupsOf(part, null));
  const rows = await PositionRows.read(store, groups);
  const marks = { before: slots[offset - 1]?.mark ?? anyMark, after: slots[offset + 1]?.mark ?? anyMark };
  const starts = view.segments.map(newStarts);
  for (const group of groups) {
    const into = starts[group.of.input] as Starts;
    if (group.hasPositions) readGroupStarts(group, rows.reader(group), { offset, before, marks }, into);
  }
  return starts.map((found, input) =>
    lists.filter((list) => list.input === input).length > 1 ? sorted(found) : found,
  );
}

/** Postings that were decoded, and where their positions are. */
interface Group {
  readonly of: SegmentList;
  readonly postings: Postings;
  /** Whether any of them has positions. */
  readonly hasPositions: boolean;
  readonly row: number;
  readonly rowStart: number;
}

/** The groups of a part; if sections are given, those that may have one of them. */
function groupsOf(wanted: WantedPart, sections: Uint32Array | null): Group[] {
  const { of, part } = wanted;
  const { block, place, count } = placeOf(wanted);
  const groups = block.groupsOf(place, count);
  const chosen: Group[] = [];
  let next = sections === null ? 0 : lowerBound(sections, of.list.parts[part]?.firstSection ?? 0);
  for (let group = 0; group < groups.count; group += 1) {
    if (sections !== null) {
      while (next < sections.length && at(sections, next) <= (groups.before[group] as number)) next += 1;
      if (next === sections.length) break;
      if (at(sections, next) > at(groups.lastSections, group)) continue;
    }
    const size = groups.count === 1 ? count : Math.min(groupPostings, count - group * groupPostings);
    const postings = newPostings(size);
    decodePostings(
      block.postings,
      at(groups.postingsStarts, group),
      size,
      of.segment.pages.sectionCount,
      postings,
      groups.before[group],
    );
    const hasPositions = postings.values.some((value) => value > 3);
    const [row, rowStart] = [at(groups.rows, group), at(groups.rowStarts, group)];
    chosen.push({ of, postings, hasPositions, row, rowStart });
  }
  return chosen;
}

interface WantedStarts {
  /** The number of the term within the phrase. */
  readonly offset: number;
  readonly before: number;
  readonly marks: { readonly before: number; readonly after: number };
}

function readGroupStarts(
  { of, postings }: Group,
  reader: PositionReader,
  { offset, before, marks }: WantedStarts,
  into: Starts,
): void {
  const { pages, live } = of.segment;
  for (let index = 0; index < postings.length; index += 1) {
    const section = at(postings.sections, index);
    const value = at(postings.values, index);
    const page = at(pages.pageOf, section);
    if (at(live.nodeOf, page) >= before) {
      reader.skip(value >>> 2);
      continue;
    }
    reserve(into, value >>> 2);
    const base = at(pages.bases, section) - offset;
    reader.nextPosting();
    for (let left = value >>> 2; left > 0; left -= 1) {
      const position = base + reader.next();
      if (position < 0 || !mayBeBetween(reader.marks, marks.before, marks.after)) continue;
      into.keys[into.length] = page * pageUnit + position;
      into.flags[into.length] = value & 3;
      into.length += 1;
    }
  }
}

const newStarts = (): Starts => ({ keys: new Float64Array(64), flags: new Uint8Array(64), length: 0 });

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

/** Those of the starts from which the term with this offset is where it has to be. */
async function withTerm(
  view: IndexView,
  store: BlockStore,
  { lists }: Slot,
  offset: number,
  found: readonly Starts[],
): Promise<Starts[]> {
  const wanted = view.segments.map((segment, input) => placesOf(segment, found[input] as Starts, offset));
  const parts = partsOf(lists, dead).filter((part) => mayHave(part, wanted[part.of.input] as Places));
  await loadParts(store, parts);
  const groups = parts.flatMap((part) => groupsOf(part, wanted[part.of.input]?.sections ?? null));
  const rows = await PositionRows.read(store, groups);
  const matches = found.map(({ length }) => new Uint8Array(length));
  for (const group of groups) {
    const input = group.of.input;
    if (group.hasPositions)
      matchGroup(group, rows.reader(group), wanted[input] as Places, matches[input] as Uint8Array);
  }
  return found.map((starts, input) => kept(starts, matches[input] as Uint8Array));
}

/** For each start, where a term has to be: the section, and the position in it. */
interface Places {
  readonly sections: Uint32Array;
  readonly positions: Uint32Array;
}

function placesOf({ pages }: StoredSegment, { keys, length }: Starts, offset: number): Places {
  const places = { sections: new Uint32Array(length), positions: new Uint32Array(length) };
  for (let index = 0; index < length; index += 1) {
    const key = keys[index] as number;
    const page = Math.floor(key / pageUnit);
    const position = key - page * pageUnit + offset;
    const section = sectionAt(pages, page, position);
    places.sections[index] = section;
    places.positions[index] = position - at(pages.bases, section);
  }
  return places;
}

/** Whether a part may have one of these sections. */
function mayHave({ of, part }: WantedPart, { sections }: Places): boolean {
  const { parts } = of.list;
  const index = lowerBound(sections, parts[part]?.firstSection ?? 0);
  return index < sections.length && at(sections, index) < (parts[part + 1]?.firstSection ?? Infinity);
}

/** Notes for which of the places the term is there: 4 plus the flags of its posting. */
function matchGroup(
  { postings }: Group,
  reader: PositionReader,
  { sections, positions }: Places,
  matches: Uint8Array,
): void {
  let skipped = 0;
  let place = 0;
  for (let index = 0; index < postings.length; index += 1) {
    const section = at(postings.sections, index);
    const value = at(postings.values, index);
    if (at(sections, place) < section) place = lowerBound(sections, section, sections.length, place);
    if (place === sections.length) return;
    if (at(sections, place) > section) {
      skipped += value >>> 2;
      continue;
    }
    reader.skip(skipped);
    skipped = 0;
    reader.nextPosting();
    for (let left = value >>> 2; left > 0; left -= 1) {
      const position = reader.next();
      while (at(sections, place) === section && at(positions, place) < position) place += 1;
      if (at(sections, place) === section && at(positions, place) === position)
        matches[place] = 4 + (value & 3);
    }
  }
}

function kept({ keys, flags, length }: Starts, matches: Uint8Array): Starts {
  let count = 0;
  for (let index = 0; index < length; index += 1) {
    const match = byteAt(matches, index);
    if (match === 0) continue;
    keys[count] = keys[index] as number;
    flags[count] = byteAt(flags, index) & match;
    count += 1;
  }
  return { keys, flags, length: count };
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
  const { firstSections, bases } = pages;
  const [first, end] = [at(firstSections, page), at(firstSections, page + 1)];
  return firstIndex(first + 1, end, (section) => at(bases, section) > position) - 1;
}
