import { BlockPacker, joined, missingBlock, OpenBlock, type PartPlace, type TermList } from "./block.ts";
import type { Block, BlockStore, FoundBlock } from "./block-store.ts";
import { at, compareBytes } from "./bytes.ts";
import { dead, type LivePages } from "./live-pages.ts";
import { openRow, skipPositions } from "./positions.ts";
import { decodePostings, ListEncoder, newPostings, type Postings } from "./postings.ts";
import { encodePages, idBytes, newSegmentPages, type SegmentPages } from "./segment-pages.ts";

/** A segment that is in a store. */
export interface StoredSegment {
  readonly id: number;
  readonly pages: SegmentPages;
  readonly live: LivePages;
}

/** A merged segment as it is written: first the chunks of its pages, then its blocks. */
export interface MergeOutput {
  readonly pages: SegmentPages;
  chunks(): Iterable<Uint8Array>;
  /** Reads the merged segments as it goes. Throws `IndexDamagedError` if one of them is damaged. */
  blocks(): AsyncGenerator<Block>;
}

/**
 * Merges the live pages of segments into one. It holds in memory the pages, a number for each section, and the
 * list of one term.
 *
 * @param segments Oldest first. The merged segment is as old as the newest of them.
 */
export function mergeSegments(segments: readonly StoredSegment[], store: BlockStore): MergeOutput {
  const { pages, sections } = mergePages(segments);
  return {
    pages,
    chunks: () => encodePages(pages),
    blocks: () => mergeBlocks(segments, sections, store),
  };
}

/** A section that is not in the merged segment. */
const dropped = 0xffff_ffff;

/** The pages of the merged segment, and the new number of each section of each input. */
function mergePages(segments: readonly StoredSegment[]): { pages: SegmentPages; sections: Uint32Array[] } {
  const pageCount = segments.reduce((sum, { live }) => sum + live.pageCount, 0);
  const sectionCount = segments.reduce((sum, { live }) => sum + live.sectionCount, 0);
  const merged = newSegmentPages(pageCount, sectionCount);
  const sections = segments.map(({ pages }) => new Uint32Array(pages.sectionCount).fill(dropped));
  const next = segments.map((segment) => nextLive(segment, 0));
  let section = 0;
  for (let page = 0; page < pageCount; page += 1) {
    const input = lowestPage(segments, next);
    const { pages } = segments[input] as StoredSegment;
    const from = next[input] as number;
    merged.ids.set(pages.ids.subarray(from * idBytes, (from + 1) * idBytes), page * idBytes);
    merged.versions[page] = pages.versions[from] as number;
    merged.firstSections[page] = section;
    for (let old = at(pages.firstSections, from); old < at(pages.firstSections, from + 1); old += 1) {
      (sections[input] as Uint32Array)[old] = section;
      merged.pageOf[section] = page;
      merged.starts[section] = at(pages.starts, old);
      merged.lengths[section] = pages.lengths[old] as number;
      merged.bases[section] = at(pages.bases, old);
      section += 1;
    }
    next[input] = nextLive(segments[input] as StoredSegment, from + 1);
  }
  return { pages: merged, sections };
}

function nextLive({ pages, live }: StoredSegment, start: number): number {
  let page = start;
  while (page < pages.pageCount && at(live.nodeOf, page) === dead) page += 1;
  return page;
}

/** The input whose next page has the lowest id. */
function lowestPage(segments: readonly StoredSegment[], next: readonly number[]): number {
  let lowest = -1;
  let lowestId: Uint8Array | null = null;
  segments.forEach(({ pages }, input) => {
    const page = next[input] as number;
    if (page >= pages.pageCount) return;
    const id = pages.ids.subarray(page * idBytes, (page + 1) * idBytes);
    if (lowestId !== null && compareBytes(id, lowestId) >= 0) return;
    lowest = input;
    lowestId = id;
  });
  return lowest;
}

async function* mergeBlocks(
  segments: readonly StoredSegment[],
  sections: readonly Uint32Array[],
  store: BlockStore,
): AsyncGenerator<Block> {
  const inputs = segments.map(
    (segment, input) => new MergeInput(segment, sections[input] as Uint32Array, store),
  );
  const packer = new BlockPacker();
  const list = new ListEncoder();
  try {
    for (const input of inputs) await input.advance();
    for (let open = stillOpen(inputs); open.length > 0; open = stillOpen(open)) {
      const term = lowestTerm(open);
      const having = open.filter((input) => compareBytes(input.term, term) === 0);
      for (const input of having) {
        input.load();
        if (input.isLong) await input.loadFurtherParts();
      }
      mergeLists(having, list);
      if (list.count > 0) packer.add(term, list);
      if (packer.ready.length > 0) yield* packer.ready.splice(0);
      for (const input of having) {
        if (!input.step()) await input.advance();
      }
    }
  } finally {
    for (const input of inputs) await input.close();
  }
  packer.finish();
  yield* packer.ready;
}

const stillOpen = (inputs: readonly MergeInput[]) =>
  inputs.every((input) => !input.isDone) ? inputs : inputs.filter((input) => !input.isDone);

/** A copy of the lowest term: those of the inputs do not last. */
function lowestTerm(inputs: readonly MergeInput[]): Uint8Array {
  let lowest = (inputs[0] as MergeInput).term;
  for (const { term } of inputs) if (compareBytes(term, lowest) < 0) lowest = term;
  return lowest.slice();
}

/** Writes the postings of the current term of all inputs, in the order of their new sections. */
function mergeLists(inputs: readonly MergeInput[], list: ListEncoder): void {
  list.start();
  for (;;) {
    let lowest: MergeInput | null = null;
    for (const input of inputs) {
      if (input.section < (lowest?.section ?? dropped)) lowest = input;
    }
    if (lowest === null) break;
    lowest.write(list);
  }
}

/** The lists of one input, in the order of their terms. */
class MergeInput {
  /** The current term, valid until the next step. */
  term = new Uint8Array(0) as Uint8Array;
  isDone = false;
  /** The new number of the current posting's section; `dropped` after the last one. */
  section = dropped;
  readonly #segment: StoredSegment;
  readonly #sections: Uint32Array;
  readonly #blocks: AsyncIterator<FoundBlock>;
  readonly #rows: AsyncIterator<Uint8Array>;
  #block: OpenBlock | null = null;
  #lists: Iterator<TermList> | null = null;
  #list: TermList | null = null;
  #postings: Postings = newPostings(1024);
  #posting = 0;
  /** The positions of the current block or, after its start, of a long list: lists follow one another. */
  #positions = new Uint8Array(0) as Uint8Array;
  #position = 0;

  constructor(segment: StoredSegment, sections: Uint32Array, store: BlockStore) {
    this.#segment = segment;
    this.#sections = sections;
    this.#blocks = store.scan(segment.id)[Symbol.asyncIterator]();
    this.#rows = store.scanRows(segment.id)[Symbol.asyncIterator]();
  }

  /** Goes to the next term of the current block. False if there is none. */
  step(): boolean {
    const next = this.#lists?.next();
    if (next === undefined || next.done === true) return false;
    this.#list = next.value;
    this.term = next.value.term;
    return true;
  }

  /** Goes to the first term of the next block, or to the end. */
  async advance(): Promise<void> {
    do {
      if (this.#block?.next === null) {
        this.isDone = true;
        return;
      }
      const block = await this.#nextBlock();
      const { term, part } = block.key;
      const follows = this.#block === null ? term.length + part === 0 : this.#block.precedes(block.key);
      if (!follows) throw missingBlock();
      this.#block = block;
      this.#lists = block.lists();
      this.#positions = await this.#positionsOf(block);
      this.#position = 0;
    } while (!this.step());
  }

  /** Ends the scans, which are not read to their ends. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
    await this.#rows.return?.();
  }

  async #nextBlock(): Promise<OpenBlock> {
    const next = await this.#blocks.next();
    if (next.done === true) throw missingBlock();
    return new OpenBlock(next.value);
  }

  /** Reads the positions of all postings of a block. */
  async #positionsOf({ firstRow, rowCount }: OpenBlock): Promise<Uint8Array> {
    const rows: Uint8Array[] = [];
    for (let row = firstRow; row < firstRow + rowCount; row += 1) {
      const next = await this.#rows.next();
      rows.push(openRow(next.done === true ? null : next.value, row));
    }
    return rows.length === 1 ? (rows[0] as Uint8Array) : joined(rows);
  }

  /** Whether the current term has postings in further blocks. */
  get isLong(): boolean {
    return (this.#list?.parts.length ?? 0) > 1;
  }

  /** Begins with the postings of the current term. Those of a long list follow by `loadFurtherParts`. */
  load(): void {
    const { count, parts, start } = this.#list as TermList;
    if (count > this.#postings.sections.length) this.#postings = newPostings(2 * count);
    this.#postings.length = 0;
    this.#posting = 0;
    this.#decode(this.#block as OpenBlock, start, parts[0]?.count ?? 0);
    if (!this.isLong) this.#toLive();
  }

  async loadFurtherParts(): Promise<void> {
    const { parts } = this.#list as TermList;
    const positions = [this.#positions];
    for (const [number, { count }] of parts.entries()) {
      if (number === 0) continue;
      const block = await this.#nextBlock();
      if (block.key.part !== number || compareBytes(block.key.term, this.term) !== 0) throw missingBlock();
      this.#decode(block, block.furtherPart(), count);
      positions.push(await this.#positionsOf(block));
    }
    this.#positions = joined(positions);
    this.#toLive();
  }

  #decode({ postings }: OpenBlock, { postingsStart }: PartPlace, count: number): void {
    decodePostings(postings, postingsStart, count, this.#segment.pages.sectionCount, this.#postings);
  }

  /** Writes the current posting and goes to the next. */
  write(list: ListEncoder): void {
    const value = at(this.#postings.values, this.#posting);
    list.posting(this.section, value >>> 2, value & 3);
    this.#position = list.copyPositions(this.#positions, this.#position, value >>> 2);
    this.#posting += 1;
    this.#toLive();
  }

  #toLive(): void {
    const { sections, values, length } = this.#postings;
    this.section = dropped;
    while (this.#posting < length) {
      this.section = at(this.#sections, at(sections, this.#posting));
      if (this.section !== dropped) return;
      this.#position = skipPositions(this.#positions, this.#position, at(values, this.#posting) >>> 2);
      this.#posting += 1;
    }
  }
}
