import type { Block, BlockKey, FoundBlock } from "./block-store.ts";
import {
  ByteReader,
  ByteWriter,
  byteAt,
  checkSeal,
  checksum,
  compareBytes,
  IndexDamagedError,
  sealed,
  startsWith,
} from "./bytes.ts";
import { RowPacker, RowPlaces } from "./positions.ts";
import { groupPostings, type ListEncoder, type ListPart } from "./postings.ts";

/*
 * A segment's lists are in blocks, in the order of their terms. A short list shares a block with others; a long one has
 * blocks of its own, one for each part. A block is, after its checksum:
 *
 *   flags · the key of the next block in which lists begin, so that a lost block is noticed · the first of its rows
 *   of positions, and their number · one of
 *     a table of terms: their number, its length, then for each (bytes shared with the term before, the rest, count, bytes of its postings and of its positions), then the postings
 *     a long list: its term, its count, its parts as (distance of first sections, count), then part 0
 *     a further part
 *
 * A part is a table of its groups: its length, then for each group (distance of last sections, bytes of its postings and
 * of its positions); then the postings.
 */
const isLong = 1;
const isLast = 2;

/** Bytes of a block of short lists at most: two rows fit into a page of the database. */
const blockBytes = 4_000;
/** The bytes of postings, or of positions, from which a list has blocks of its own. */
const longBytes = 1_500;

/** Bytes of the numbers of a term in a table, at most. */
const tableNumbers = 12;

const noTerm: Uint8Array = new Uint8Array(0);

interface PendingBlock {
  readonly key: BlockKey;
  readonly flags: number;
  readonly body: Uint8Array;
  readonly firstRow: number;
  readonly rows: readonly Uint8Array[];
}

/** Packs lists into blocks. The first block has the empty term as its key, so that every term has a block below it. */
export class BlockPacker {
  /** Finished blocks. The caller takes them out. */
  readonly ready: Block[] = [];
  readonly #table = new ByteWriter();
  readonly #postings = new ByteWriter();
  #rows = new RowPacker(0);
  #terms = 0;
  #firstTerm: Uint8Array = noTerm;
  #lastTerm: Uint8Array = noTerm;
  /** A block, or those of a long list, until the key of the next one is known. */
  readonly #pending: PendingBlock[] = [];
  #isFirst = true;

  /** Adds the list of a term above all before. */
  add(term: Uint8Array, list: ListEncoder): void {
    if (list.postings.length >= longBytes || list.positions.length >= longBytes) {
      this.#endBlock();
      this.#addLong(term, list);
    } else {
      this.#addShort(term, list);
    }
  }

  finish(): void {
    this.#endBlock();
    // A segment without terms has a block as well.
    if (this.#isFirst) this.#queue(noTerm, 0, 0, [new Uint8Array([0, 0])]);
    this.#emit(null);
  }

  #addShort(term: Uint8Array, list: ListEncoder): void {
    const length =
      this.#table.length + term.length + tableNumbers + this.#postings.length + list.postings.length;
    if (length > blockBytes) this.#endBlock();
    if (this.#terms === 0) {
      this.#firstTerm = term;
      this.#lastTerm = noTerm;
    }
    let shared = 0;
    while (shared < this.#lastTerm.length && term[shared] === this.#lastTerm[shared]) shared += 1;
    this.#table.uint(shared);
    this.#table.uint(term.length - shared);
    this.#table.append(term, shared);
    this.#table.uint(list.count);
    this.#table.uint(list.postings.length);
    this.#table.uint(list.positions.length);
    this.#postings.append(list.postings.bytes, 0, list.postings.length);
    this.#rows.add(list.positions.bytes, 0, list.positions.length);
    this.#terms += 1;
    this.#lastTerm = term;
  }

  #addLong(term: Uint8Array, list: ListEncoder): void {
    list.endParts();
    const head = new ByteWriter();
    head.uint(term.length);
    head.append(term);
    head.uint(list.count);
    head.uint(list.parts.length);
    let before = 0;
    for (const { firstSection, count } of list.parts) {
      head.uint(firstSection - before);
      head.uint(count);
      before = firstSection;
    }
    for (const part of list.parts.keys()) {
      const bytes = this.#packPart(list, part);
      this.#queue(term, part, isLong, part === 0 ? [head.copy(), ...bytes] : bytes);
    }
  }

  /** The table of a part's groups and its postings. The positions go into rows. */
  #packPart(list: ListEncoder, part: number): Uint8Array[] {
    const first = list.parts[part]?.firstGroup ?? 0;
    const end = list.parts[part + 1]?.firstGroup ?? list.groups.length;
    const start = { lastSection: -1, postingsEnd: 0, positionsEnd: 0, ...list.groups[first - 1] };
    const table = new ByteWriter();
    let before = { ...start, lastSection: -1 };
    for (const group of list.groups.slice(first, end)) {
      table.uint(group.lastSection - before.lastSection);
      table.uint(group.postingsEnd - before.postingsEnd);
      table.uint(group.positionsEnd - before.positionsEnd);
      this.#rows.add(list.positions.bytes, before.positionsEnd, group.positionsEnd);
      before = group;
    }
    const length = new ByteWriter();
    length.uint(table.length);
    return [length.copy(), table.copy(), list.postings.bytes.subarray(start.postingsEnd, before.postingsEnd)];
  }

  #endBlock(): void {
    if (this.#terms === 0) return;
    const count = new ByteWriter();
    count.uint(this.#terms);
    count.uint(this.#table.length);
    this.#queue(this.#firstTerm, 0, 0, [count.copy(), this.#table.copy(), this.#postings.copy()]);
    this.#table.clear();
    this.#postings.clear();
    this.#terms = 0;
  }

  /** Ends a block with what it consists of, and its rows. */
  #queue(term: Uint8Array, part: number, flags: number, parts: readonly Uint8Array[]): void {
    const key = { term: this.#isFirst ? noTerm : term, part };
    this.#isFirst = false;
    if (part === 0) this.#emit(key.term);
    const { firstRow } = this.#rows;
    const rows = this.#rows.finish();
    this.#rows = new RowPacker(firstRow + rows.length);
    this.#pending.push({ key, flags, body: joined(parts), firstRow, rows });
  }

  #emit(next: Uint8Array | null): void {
    for (const { key, flags, body, firstRow, rows } of this.#pending.splice(0)) {
      const content = new ByteWriter();
      content.byte(next === null ? flags | isLast : flags);
      if (next !== null) {
        content.uint(next.length);
        content.append(next);
      }
      content.uint(firstRow);
      content.uint(rows.length);
      content.append(body);
      this.ready.push({ ...key, postings: sealed(content.copy(), seedOf(key)), rows });
    }
  }
}

const seedOf = ({ term, part }: BlockKey): number => checksum(term, 0, part);

/** A list within its block. */
export interface TermList {
  readonly term: Uint8Array;
  /** Postings of the whole list. */
  readonly count: number;
  /** One part if the list shares its block; its first section is then not known, and 0 here. */
  readonly parts: readonly ListPart[];
  /** Part 0. */
  readonly start: PartPlace;
}

/** The place of a part of a list. */
export interface PartPlace {
  /** The start of its postings in the block. */
  readonly postingsStart: number;
  /** The table of its groups; null for a short list, which is one group. */
  readonly table: { readonly start: number; readonly end: number } | null;
  /** The start of its positions. */
  readonly row: number;
  readonly rowStart: number;
}

/** The groups of a part as columns. */
export interface Groups {
  readonly count: number;
  /** The section from which the first distance counts, which is the last one of the group before. */
  readonly before: Int32Array;
  readonly lastSections: Uint32Array;
  readonly postingsStarts: Uint32Array;
  /** The start of their positions. */
  readonly rows: Uint32Array;
  readonly rowStarts: Uint32Array;
}

/** A block whose checksum was found right. */
export class OpenBlock {
  readonly key: BlockKey;
  readonly postings: Uint8Array;
  readonly #bodyStart: number;
  /** Its rows of positions. */
  readonly firstRow: number;
  readonly rowCount: number;
  readonly #flags: number;
  /** The key of the next block in which lists begin; null for the last block. */
  readonly next: Uint8Array | null;

  /** Throws `IndexDamagedError` if the block is not what was written. */
  constructor(block: FoundBlock) {
    this.key = block;
    this.postings = block.postings;
    const reader = new ByteReader(block.postings, checkSeal(block.postings, seedOf(block), "a block"));
    this.#flags = byteAt(reader.take(1), 0);
    this.next = this.#flags & isLast ? null : reader.take(reader.uint());
    this.firstRow = reader.uint();
    this.rowCount = reader.uint();
    this.#bodyStart = reader.index;
  }

  /** Whether `key` is that of the next block in which lists begin. */
  precedes(key: BlockKey): boolean {
    return this.next !== null && key.part === 0 && compareBytes(key.term, this.next) === 0;
  }

  /** Throws `IndexDamagedError` if the next block is missing, which has terms with this prefix. */
  checkEndsPrefix(prefix: Uint8Array): void {
    if (this.next !== null && startsWith(this.next, prefix)) throw missingBlock();
  }

  /** Throws `IndexDamagedError` if the block is missing in which the list of this term would begin. */
  checkCovers(term: Uint8Array): void {
    if (this.#endsBefore(term)) throw missingBlock();
  }

  /** Whether the list of this term would begin in a later block. */
  #endsBefore(term: Uint8Array): boolean {
    return this.next !== null && compareBytes(term, this.next) >= 0;
  }

  /** Whether all terms with this prefix that a segment has are in this block. */
  coversPrefix(prefix: Uint8Array): boolean {
    if (compareBytes(this.key.term, prefix) > 0) return false;
    return this.next === null || !(this.#endsBefore(prefix) || startsWith(this.next, prefix));
  }

  /** The list of a term, or null. */
  find(term: Uint8Array): TermList | null {
    const first = this.lists(term).next().value;
    return first && compareBytes(first.term, term) === 0 ? first : null;
  }

  /**
   * The lists of terms with a prefix that begin in this block, in the order of their terms. A term is valid until the next list
   * is taken.
   */
  *lists(prefix = noTerm): Generator<TermList, undefined> {
    if (this.key.part > 0) return;
    const reader = new ByteReader(this.postings, this.#bodyStart);
    if ((this.#flags & isLong) === 0) {
      yield* shortLists(reader, new RowPlaces(this.firstRow), prefix);
    } else {
      const list = this.#readLong(reader);
      if (startsWith(list.term, prefix)) yield list;
    }
  }

  /** The place of a further part of a long list. */
  furtherPart(): PartPlace {
    return this.#partAt(new ByteReader(this.postings, this.#bodyStart));
  }

  #readLong(reader: ByteReader): TermList {
    const term = reader.take(reader.uint());
    const count = reader.uint();
    const parts: ListPart[] = [];
    let firstSection = 0;
    for (let left = reader.uint(); left > 0; left -= 1) {
      firstSection += reader.uint();
      parts.push({ firstSection, count: reader.uint() });
    }
    return { term, count, parts, start: this.#partAt(reader) };
  }

  #partAt(reader: ByteReader): PartPlace {
    const length = reader.uint();
    const start = reader.index;
    const end = start + length;
    return { postingsStart: end, table: { start, end }, row: this.firstRow, rowStart: 0 };
  }

  /** The groups of a part with `count` postings. */
  groupsOf({ postingsStart, table, row, rowStart }: PartPlace, count: number): Groups {
    const size = table === null ? 1 : Math.ceil(count / groupPostings);
    const groups = {
      count: size,
      before: new Int32Array(size).fill(-1),
      lastSections: new Uint32Array(size).fill(0xffff_ffff),
      postingsStarts: new Uint32Array(size).fill(postingsStart),
      rows: new Uint32Array(size).fill(row),
      rowStarts: new Uint32Array(size).fill(rowStart),
    };
    if (table === null) return groups;
    const reader = new ByteReader(this.postings.subarray(0, table.end), table.start);
    const places = new RowPlaces(row);
    let section = -1;
    let start = postingsStart;
    for (let group = 0; group < size; group += 1) {
      groups.before[group] = section;
      section += reader.uint();
      groups.lastSections[group] = section;
      groups.postingsStarts[group] = start;
      start += reader.uint();
      groups.rowStarts[group] = places.add(reader.uint());
      groups.rows[group] = places.row;
    }
    return groups;
  }
}

/**
 * The lists in a table whose terms have a prefix. Terms before them are not put together: all that matters is how many bytes
 * a term has in common with the one before, and how many that one has in common with the prefix.
 */
function* shortLists(
  reader: ByteReader,
  places: RowPlaces,
  prefix: Uint8Array,
): Generator<TermList, undefined> {
  const terms = reader.uint();
  const tableBytes = reader.uint();
  const { bytes } = reader;
  let postingsStart = reader.index + tableBytes;
  let buffer = new Uint8Array(prefix.length + 64);
  buffer.set(prefix);
  let common = 0;
  for (let left = terms; left > 0; left -= 1) {
    const shared = reader.uint();
    const length = reader.uint();
    const start = reader.index;
    reader.skip(length);
    const count = reader.uint();
    const postingsLength = reader.uint();
    const rowStart = places.add(reader.uint());
    // The terms before were lower or had the prefix; one with fewer bytes in common than the last must be higher.
    if (shared < common) return;
    if (shared === common) {
      common = commonEnd(bytes, start, start + length, prefix, common);
      const isLonger = shared + length > common;
      if (
        isLonger &&
        common < prefix.length &&
        byteAt(bytes, start + common - shared) > byteAt(prefix, common)
      )
        return;
    }
    if (common === prefix.length) {
      buffer = withRoom(buffer, shared + length);
      for (let index = 0; index < length; index += 1) buffer[shared + index] = byteAt(bytes, start + index);
      const term = buffer.subarray(0, shared + length);
      yield shortList(term, count, { postingsStart, table: null, row: places.row, rowStart });
    }
    postingsStart += postingsLength;
  }
}

/** The index in `prefix`, from `common` on, up to which it equals the bytes from `start` up to `end`. */
function commonEnd(
  bytes: Uint8Array,
  start: number,
  end: number,
  prefix: Uint8Array,
  common: number,
): number {
  let next = common;
  while (next < prefix.length && start + next - common < end && bytes[start + next - common] === prefix[next])
    next += 1;
  return next;
}

function withRoom(buffer: Uint8Array<ArrayBuffer>, length: number): Uint8Array<ArrayBuffer> {
  if (length <= buffer.length) return buffer;
  const longer = new Uint8Array(2 * length);
  longer.set(buffer);
  return longer;
}

const shortList = (term: Uint8Array, count: number, start: PartPlace): TermList => ({
  term,
  count,
  parts: [{ firstSection: 0, count }],
  start,
});

/** One after the other. */
export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    whole.set(part, length);
    length += part.length;
  }
  return whole;
}

export const missingBlock = () => new IndexDamagedError("a block of the text index is missing");
