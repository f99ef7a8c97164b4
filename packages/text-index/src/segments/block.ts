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
import type { ListEncoder, ListPart } from "./postings.ts";

/*
 * A segment's lists are in blocks, in the order of their terms. A short list shares a block with others; a long one has
 * blocks of its own, one for each part. `postings` of a block is, behind its checksum:
 *
 *   flags · the key of the next block in which lists begin, so that a lost block is noticed · one of
 *     a table of terms: their number, its length, then for each (bytes shared with the term before, the rest, count, lengths of both streams), then the streams
 *     a long list: its term, its count, its parts as (distance of first sections, count), then the stream of part 0
 *     the stream of a further part
 *
 * `positions` has the streams of positions, behind a checksum.
 */
const isLong = 1;
const isLast = 2;

/** Bytes of both streams at which a block of short lists ends. */
const blockBytes = 12_288;
/** From this size on, a list has blocks of its own. */
const longBytes = 6_144;

const noTerm: Uint8Array = new Uint8Array(0);

interface PendingBlock {
  readonly key: BlockKey;
  readonly flags: number;
  readonly body: Uint8Array;
  readonly positions: Uint8Array;
}

/** Packs lists into blocks. The first block has the empty term as its key, so that every term has a block below it. */
export class BlockPacker {
  /** Finished blocks. The caller takes them out. */
  readonly ready: Block[] = [];
  readonly #table = new ByteWriter();
  readonly #postings = new ByteWriter();
  readonly #positions = new ByteWriter();
  #terms = 0;
  #firstTerm: Uint8Array = noTerm;
  #lastTerm: Uint8Array = noTerm;
  /** A block, or those of a long list, until the key of the next one is known. */
  readonly #pending: PendingBlock[] = [];
  #isFirst = true;

  /** Adds the list of a term above all before. */
  add(term: Uint8Array, list: ListEncoder): void {
    if (list.postings.length + list.positions.length >= longBytes) {
      this.#endBlock();
      this.#addLong(term, list);
    } else {
      this.#addShort(term, list);
    }
  }

  finish(): void {
    this.#endBlock();
    // A segment without terms has a block as well.
    if (this.#isFirst) this.#queue(noTerm, 0, 0, new Uint8Array([0, 0]), noTerm, noTerm);
    this.#emit(null);
  }

  #addShort(term: Uint8Array, list: ListEncoder): void {
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
    this.#positions.append(list.positions.bytes, 0, list.positions.length);
    this.#terms += 1;
    this.#lastTerm = term;
    if (this.#table.length + this.#postings.length + this.#positions.length >= blockBytes) this.#endBlock();
  }

  #addLong(term: Uint8Array, list: ListEncoder): void {
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
    list.parts.forEach((part, number) => {
      const next = list.parts[number + 1];
      const postings = list.postings.bytes.subarray(
        part.postingsStart,
        next?.postingsStart ?? list.postings.length,
      );
      const positions = list.positions.bytes.slice(
        part.positionsStart,
        next?.positionsStart ?? list.positions.length,
      );
      this.#queue(term, number, isLong, number === 0 ? head.copy() : noTerm, postings, positions);
    });
  }

  #endBlock(): void {
    if (this.#terms === 0) return;
    const count = new ByteWriter();
    count.uint(this.#terms);
    count.uint(this.#table.length);
    count.append(this.#table.bytes, 0, this.#table.length);
    this.#queue(this.#firstTerm, 0, 0, count.copy(), this.#postings.copy(), this.#positions.copy());
    this.#table.clear();
    this.#postings.clear();
    this.#positions.clear();
    this.#terms = 0;
  }

  #queue(
    term: Uint8Array,
    part: number,
    flags: number,
    head: Uint8Array,
    postings: Uint8Array,
    positions: Uint8Array,
  ): void {
    const key = { term: this.#isFirst ? noTerm : term, part };
    this.#isFirst = false;
    if (part === 0) this.#emit(key.term);
    const body = new Uint8Array(head.length + postings.length);
    body.set(head);
    body.set(postings, head.length);
    this.#pending.push({ key, flags, body, positions });
  }

  #emit(next: Uint8Array | null): void {
    for (const { key, flags, body, positions } of this.#pending.splice(0)) {
      const content = new ByteWriter();
      content.byte(next === null ? flags | isLast : flags);
      if (next !== null) {
        content.uint(next.length);
        content.append(next);
      }
      content.append(body);
      const seed = seedOf(key);
      this.ready.push({
        ...key,
        postings: sealed(content.copy(), seed),
        positions: sealed(positions, ~seed),
      });
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
  readonly isLong: boolean;
  /** Where the list, or its part 0, is in the two streams of the block. */
  readonly postingsStart: number;
  readonly positionsStart: number;
}

/** A block whose checksum was found right. */
export class OpenBlock {
  readonly key: BlockKey;
  readonly postings: Uint8Array;
  /** Empty if positions were not asked for. */
  readonly positions: Uint8Array;
  /** Where the stream of a further part starts. */
  readonly bodyStart: number;
  readonly #flags: number;
  readonly #next: Uint8Array;

  /** Throws `IndexDamagedError` if the block is not what was written. */
  constructor(block: FoundBlock) {
    this.key = block;
    this.postings = block.postings;
    this.positions = block.positions ?? noTerm;
    const seed = seedOf(block);
    const reader = new ByteReader(block.postings, checkSeal(block.postings, seed, "a block"));
    if (block.positions !== null) checkSeal(block.positions, ~seed, "a block");
    this.#flags = byteAt(reader.take(1), 0);
    this.#next = this.isLast ? noTerm : reader.take(reader.uint());
    this.bodyStart = reader.index;
  }

  get isLast(): boolean {
    return (this.#flags & isLast) !== 0;
  }

  /** Whether `key` is that of the next block in which lists begin. */
  precedes(key: BlockKey): boolean {
    return !this.isLast && key.part === 0 && compareBytes(key.term, this.#next) === 0;
  }

  get hasPositions(): boolean {
    return this.positions.length > 0;
  }

  /** Throws `IndexDamagedError` if the next block is missing, which has terms with this prefix. */
  checkEndsPrefix(prefix: Uint8Array): void {
    if (!this.isLast && startsWith(this.#next, prefix)) throw missingBlock();
  }

  /** Throws `IndexDamagedError` if the block is missing in which the list of this term would begin. */
  checkCovers(term: Uint8Array): void {
    if (!this.isLast && compareBytes(term, this.#next) >= 0) throw missingBlock();
  }

  /** The list of a term, or null. */
  find(term: Uint8Array): TermList | null {
    if (this.key.part > 0) return null;
    const reader = new ByteReader(this.postings, this.bodyStart);
    if ((this.#flags & isLong) === 0) return findShort(reader, term);
    const list = readLong(reader);
    return compareBytes(list.term, term) === 0 ? list : null;
  }

  /** The lists that begin in this block, in the order of their terms. A term is valid until the next list is taken. */
  *lists(): Generator<TermList> {
    if (this.key.part > 0) return;
    const reader = new ByteReader(this.postings, this.bodyStart);
    if (this.#flags & isLong) yield readLong(reader);
    else yield* this.#shortLists(reader);
  }

  *#shortLists(reader: ByteReader): Generator<TermList> {
    const terms = reader.uint();
    const tableBytes = reader.uint();
    let postingsStart = reader.index + tableBytes;
    let positionsStart = 4;
    let buffer = new Uint8Array(256);
    for (let left = terms; left > 0; left -= 1) {
      const shared = reader.uint();
      const rest = reader.take(reader.uint());
      if (shared + rest.length > buffer.length) {
        const longer = new Uint8Array(2 * (shared + rest.length));
        longer.set(buffer);
        buffer = longer;
      }
      buffer.set(rest, shared);
      const term = buffer.subarray(0, shared + rest.length);
      const count = reader.uint();
      const parts = [{ firstSection: 0, count }];
      yield { term, count, parts, isLong: false, postingsStart, positionsStart };
      postingsStart += reader.uint();
      positionsStart += reader.uint();
    }
  }
}

/**
 * Finds a term in the table without putting terms together: all that matters is how many bytes a term has in common with
 * the one before, and how many that one has in common with the term that is sought.
 */
function findShort(reader: ByteReader, term: Uint8Array): TermList | null {
  const terms = reader.uint();
  let postingsStart = reader.uint();
  postingsStart += reader.index;
  let positionsStart = 4;
  let common = 0;
  for (let left = terms; left > 0; left -= 1) {
    const shared = reader.uint();
    const length = reader.uint();
    const start = reader.index;
    reader.index += length;
    const count = reader.uint();
    const [postingsLength, positionsLength] = [reader.uint(), reader.uint()];
    // The terms before were lower; one with fewer bytes in common than the last must be higher.
    if (shared < common) return null;
    if (shared === common) {
      let index = 0;
      while (index < length && common < term.length && reader.bytes[start + index] === term[common]) {
        index += 1;
        common += 1;
      }
      if (common === term.length && index === length) {
        return {
          term,
          count,
          parts: [{ firstSection: 0, count }],
          isLong: false,
          postingsStart,
          positionsStart,
        };
      }
      const isHigher =
        index < length &&
        (common === term.length || byteAt(reader.bytes, start + index) > byteAt(term, common));
      if (isHigher) return null;
    }
    postingsStart += postingsLength;
    positionsStart += positionsLength;
  }
  return null;
}

function readLong(reader: ByteReader): TermList {
  const term = reader.take(reader.uint());
  const count = reader.uint();
  const parts: ListPart[] = [];
  let firstSection = 0;
  for (let left = reader.uint(); left > 0; left -= 1) {
    firstSection += reader.uint();
    parts.push({ firstSection, count: reader.uint() });
  }
  return { term, count, parts, isLong: true, postingsStart: reader.index, positionsStart: 4 };
}

export const missingBlock = () => new IndexDamagedError("a block of the text index is missing");
