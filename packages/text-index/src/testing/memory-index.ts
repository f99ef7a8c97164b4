import type { Block, BlockLookup, BlockRange, BlockStore, FoundBlock } from "../segments/block-store.ts";
import { compareBytes } from "../segments/bytes.ts";

/** Blocks in memory, in the order of their keys. Counts what is read. */
export class MemoryBlockStore implements BlockStore {
  readonly segments = new Map<number, Block[]>();
  calls = 0;
  blocksRead = 0;

  write(segment: number, blocks: Iterable<Block>): void {
    this.segments.set(segment, [...blocks]);
  }

  async lookup(keys: readonly BlockLookup[], withPositions: boolean): Promise<(FoundBlock | null)[]> {
    this.calls += 1;
    return keys.map((key) => {
      const blocks = this.#blocks(key.segment).filter(({ part }) => part === key.part);
      const found = blocks.findLast(({ term }) => {
        const order = compareBytes(term, key.term);
        return key.part === 0 ? order <= 0 : order === 0;
      });
      return found === undefined ? null : this.#read(found, withPositions);
    });
  }

  async ranges(ranges: readonly BlockRange[], withPositions: boolean): Promise<FoundBlock[][]> {
    this.calls += 1;
    return ranges.map(({ segment, after, before, limit }) =>
      this.#blocks(segment)
        .filter(
          ({ term, part }) => part === 0 && compareBytes(term, after) > 0 && compareBytes(term, before) < 0,
        )
        .slice(0, limit)
        .map((block) => this.#read(block, withPositions)),
    );
  }

  async *scan(segment: number): AsyncGenerator<Block> {
    yield* this.#blocks(segment);
  }

  #blocks(segment: number): Block[] {
    return this.segments.get(segment) ?? [];
  }

  #read(block: Block, withPositions: boolean): FoundBlock {
    this.blocksRead += 1;
    return withPositions ? block : { ...block, positions: null };
  }
}
