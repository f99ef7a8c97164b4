import { BlockPacker, missingBlock, OpenBlock, type TermList } from "./block.ts";
import type { Block, BlockStore } from "./block-store.ts";
import { at, compareBytes } from "./bytes.ts";
import { dead, type LivePages } from "./live-pages.ts";
import { decodePostings, ListEncoder, newPostings, type Postings, skipNumbers } from "./postings.ts";
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
 * Merges the live pages of segments into one. What it holds in memory are the pages, a number for each section, and the
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
      for (const input of having) await input.load();
      mergeLists(having, list);
      if (list.count > 0) packer.add(term, list);
      yield* packer.ready.splice(0);
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
  list.end();
}

/** The lists of one input, in the order of their terms. */
class MergeInput {
  /** The current term, valid until the next step. */
  term = new Uint8Array(0) as Uint8Array;
  isDone = false;
  /** The new number of the current posting's section; `dropped` behind the last one. */
  section = dropped;
  readonly #segment: StoredSegment;
  readonly #sections: Uint32Array;
  readonly #blocks: AsyncIterator<Block>;
  #block: OpenBlock | null = null;
  #lists: Iterator<TermList> | null = null;
  #list: TermList | null = null;
  #postings: Postings = newPostings(1024);
  #positions = new Uint8Array(0) as Uint8Array;
  #posting = 0;
  #position = 0;

  constructor(segment: StoredSegment, sections: Uint32Array, store: BlockStore) {
    this.#segment = segment;
    this.#sections = sections;
    this.#blocks = store.scan(segment.id)[Symbol.asyncIterator]();
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
      if (this.#block?.isLast) {
        this.isDone = true;
        return;
      }
      const block = await this.#nextBlock();
      const { term, part } = block.key;
      const follows = this.#block === null ? term.length + part === 0 : this.#block.precedes(block.key);
      if (!follows) throw missingBlock();
      this.#block = block;
      this.#lists = block.lists();
    } while (!this.step());
  }

  /** Ends the scan, which is never read to its end. */
  async close(): Promise<void> {
    await this.#blocks.return?.();
  }

  async #nextBlock(): Promise<OpenBlock> {
    const next = await this.#blocks.next();
    if (next.done === true) throw missingBlock();
    return new OpenBlock(next.value);
  }

  /** Reads the postings of the current term. */
  async load(): Promise<void> {
    const list = this.#list as TermList;
    let block = this.#block as OpenBlock;
    if (list.count > this.#postings.sections.length) this.#postings = newPostings(2 * list.count);
    this.#postings.length = 0;
    const { sectionCount } = this.#segment.pages;
    const positions: Uint8Array[] = [];
    for (let number = 0; number < list.parts.length; number += 1) {
      if (number > 0) block = await this.#nextPart(number);
      const start = number === 0 ? list.postingsStart : block.bodyStart;
      decodePostings(block.postings, start, list.parts[number]?.count ?? 0, sectionCount, this.#postings);
      if (list.parts.length > 1) positions.push(block.positions.subarray(4));
    }
    this.#positions = positions.length > 0 ? joined(positions) : block.positions;
    this.#position = positions.length > 0 ? 0 : list.positionsStart;
    this.#posting = 0;
    this.#toLive();
  }

  async #nextPart(number: number): Promise<OpenBlock> {
    const block = await this.#nextBlock();
    if (block.key.part !== number || compareBytes(block.key.term, this.term) !== 0) throw missingBlock();
    return block;
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
      this.#position = skipNumbers(this.#positions, this.#position, at(values, this.#posting) >>> 2);
      this.#posting += 1;
    }
  }
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let length = 0;
  for (const part of parts) {
    whole.set(part, length);
    length += part.length;
  }
  return whole;
}
