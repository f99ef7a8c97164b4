import { type IndexView, viewOf } from "../search/index-view.ts";
import type { Block } from "../segments/block-store.ts";
import { SegmentBuilder } from "../segments/build.ts";
import { findLivePages } from "../segments/live-pages.ts";
import { mergeSegments, type StoredSegment } from "../segments/merge.ts";
import { decodePages, type SegmentPages } from "../segments/segment-pages.ts";
import type { TermTable } from "../text/terms.ts";
import type { PageTokens } from "../text/types.ts";
import { MemoryBlockStore } from "./memory-index.ts";

/** An index in memory, and the pages that it should find. */
export class TestIndex {
  readonly store = new MemoryBlockStore();
  /** Oldest first. */
  #segments: { readonly id: number; readonly pages: SegmentPages }[] = [];
  /** The text of each page that was indexed. */
  readonly #texts = new Map<number, PageTokens>();
  #nextSegment = 1;
  #version = 0;

  /** Writes a segment with these pages. */
  write(pages: readonly (readonly [page: number, tokens: PageTokens])[]): void {
    const builder = new SegmentBuilder();
    for (const [page, tokens] of pages) {
      this.#version += 1;
      builder.add(idOf(page), this.#version, numbered(tokens, builder.terms));
      this.#texts.set(page, tokens);
    }
    const output = builder.finish();
    const id = this.#newSegment(output.blocks());
    this.#segments.push({ id, pages: decodePages([...output.chunks()]) });
  }

  /** Removes a page from the graph. */
  remove(page: number): void {
    this.#texts.delete(page);
  }

  /** Merges the segments with these numbers; the merged one takes the place of the newest. */
  async merge(numbers: readonly number[]): Promise<void> {
    const chosen = [...new Set(numbers.map((number) => number % this.#segments.length))].sort(
      (a, b) => a - b,
    );
    const newest = chosen.at(-1);
    if (newest === undefined || this.#segments.length === 0) return;
    const { segments } = this.view();
    const output = mergeSegments(
      chosen.map((number) => segments[number] as StoredSegment),
      this.store,
    );
    const blocks: Block[] = [];
    for await (const block of output.blocks()) blocks.push(block);
    const merged = { id: this.#newSegment(blocks), pages: decodePages([...output.chunks()]) };
    this.#segments = this.#segments.flatMap((segment, number) => {
      if (number === newest) return [merged];
      return chosen.includes(number) ? [] : [segment];
    });
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  #newSegment(blocks: Iterable<Block>): number {
    const id = this.#nextSegment;
    this.#nextSegment += 1;
    this.store.write(id, blocks);
    return id;
  }

  /** Nodes are the pages of the graph in the order of their ids, which is that of their numbers. */
  #nodes(): Map<number, number> {
    return new Map([...this.#texts.keys()].sort((a, b) => a - b).map((page, node) => [page, node]));
  }

  view(): IndexView {
    const nodes = this.#nodes();
    const live = findLivePages(
      this.#segments.map(({ pages }) => pages),
      nodes.size,
      (ids, start) => nodes.get(pageOf(ids, start)) ?? -1,
    );
    return viewOf(
      this.#segments.map(({ id, pages }, index) => ({
        id,
        pages,
        live: live[index] as StoredSegment["live"],
      })),
    );
  }

  /** The texts that should be found, by node. */
  texts(): Map<number, PageTokens> {
    const nodes = this.#nodes();
    return new Map([...this.#texts].map(([page, tokens]) => [nodes.get(page) ?? -1, tokens]));
  }
}

function numbered({ title, sections }: PageTokens, table: TermTable): PageTokens<number> {
  const numbersOf = (terms: readonly string[]) =>
    terms.map((term) => (term === "" ? table.gap : table.ofText(term)));
  return {
    title: numbersOf(title),
    sections: sections.map((section) => ({
      ...section,
      headings: numbersOf(section.headings),
      terms: numbersOf(section.terms),
    })),
  };
}

function idOf(page: number): Uint8Array {
  const id = new Uint8Array(16).fill(0x5a);
  new DataView(id.buffer).setUint32(4, page);
  return id;
}

function pageOf(ids: Uint8Array, start: number): number {
  return new DataView(ids.buffer, ids.byteOffset + start).getUint32(4);
}
