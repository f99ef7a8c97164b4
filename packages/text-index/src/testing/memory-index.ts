import type {
  Block,
  BlockRange,
  BlockStore,
  CoveringRange,
  FoundBlock,
  PartRange,
  RowKey,
  TermLookup,
} from "../segments/block-store.ts";
import { compareBytes } from "../segments/bytes.ts";

/** Blocks in memory, in the order of their keys. Counts what is read. */
export class MemoryBlockStore implements BlockStore {
  readonly segments = new Map<number, Block[]>();
  calls = 0;
  blocksRead = 0;
  rowsRead = 0;

  write(segment: number, blocks: Iterable<Block>): void {
    this.segments.set(segment, [...blocks]);
  }

  async lookup(keys: readonly TermLookup[]): Promise<(FoundBlock | null)[]> {
    this.calls += 1;
    return keys.map(({ segment, term }) => {
      const found = this.#blocks(segment).findLast(
        (block) => block.part === 0 && compareBytes(block.term, term) <= 0,
      );
      if (found !== undefined) this.blocksRead += 1;
      return found ?? null;
    });
  }

  async parts(ranges: readonly PartRange[]): Promise<FoundBlock[][]> {
    this.calls += 1;
    return ranges.map(({ segment, term, first, last }) => {
      const found = this.#blocks(segment).filter(
        ({ part, term: own }) => part >= first && part <= last && compareBytes(own, term) === 0,
      );
      this.blocksRead += found.length;
      return found;
    });
  }

  async ranges(ranges: readonly BlockRange[]): Promise<FoundBlock[][]> {
    this.calls += 1;
    return ranges.map(({ segment, after, before, limit }) => {
      const found = this.#blocks(segment)
        .filter(
          ({ term, part }) => part === 0 && compareBytes(term, after) > 0 && compareBytes(term, before) < 0,
        )
        .slice(0, limit);
      this.blocksRead += found.length;
      return found;
    });
  }

  async covering(ranges: readonly CoveringRange[]): Promise<FoundBlock[][]> {
    this.calls += 1;
    return ranges.map(({ segment, from, to, limit }) => {
      const blocks = this.#blocks(segment).filter(({ part }) => part === 0);
      const first = blocks.findLastIndex(({ term }) => compareBytes(term, from) <= 0);
      const found = blocks
        .slice(first < 0 ? blocks.length : first)
        .filter(({ term }) => compareBytes(term, to) <= 0)
        .slice(0, limit);
      this.blocksRead += found.length;
      return found;
    });
  }

  async rows(keys: readonly RowKey[]): Promise<(Uint8Array | null)[]> {
    this.calls += 1;
    this.rowsRead += keys.length;
    return keys.map(({ segment, row }) => this.#rows(segment)[row] ?? null);
  }

  async *scan(segment: number): AsyncGenerator<FoundBlock> {
    yield* this.#blocks(segment);
  }

  async *scanRows(segment: number): AsyncGenerator<Uint8Array> {
    yield* this.#rows(segment);
  }

  #blocks(segment: number): readonly Block[] {
    return this.segments.get(segment) ?? [];
  }

  #rows(segment: number): Uint8Array[] {
    return this.#blocks(segment).flatMap(({ rows }) => rows);
  }
}
