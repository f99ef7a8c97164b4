import {
  findLivePages,
  type IndexView,
  mergeSegments,
  pageTokens,
  parseQuery,
  planMerge,
  type SearchResult,
  SegmentBuilder,
  type SegmentPages,
  type StoredSegment,
  searchTexts,
  viewOf,
} from "@clew/text-index";
import { SqliteIndex } from "./sqlite-index.ts";
import { idOf, type Language, pageOf } from "./texts.ts";

/** Clew's text index of a made-up workspace, in a SQLite file. */
export class ClewIndex {
  readonly store: SqliteIndex;
  #segments: { readonly id: number; readonly pages: SegmentPages }[] = [];
  #view: IndexView = viewOf([]);
  readonly #nodes = new Map<string, number>();
  #ranks = new Uint32Array(0);
  mergeMs = 0;
  buildMs = 0;
  textBytes = 0;

  constructor(path: string) {
    this.store = new SqliteIndex(path);
  }

  async build(seed: number, count: number, language?: Language): Promise<void> {
    const keys = Array.from({ length: count }, (_, page) => keyOf(idOf(page), 0));
    for (const [node, key] of keys.toSorted().entries()) this.#nodes.set(key, node);
    this.#ranks = Uint32Array.from({ length: count }, (_, node) => (node * 7919) % 10_000_019);
    const utf8 = new TextEncoder();
    let builder = new SegmentBuilder();
    for (let page = 0; page < count; page += 1) {
      const source = pageOf(seed, page, language);
      this.textBytes += utf8.encode(source.markdown).length + utf8.encode(source.title).length;
      const began = performance.now();
      builder.add(idOf(page), 1, pageTokens(source, builder.terms));
      this.buildMs += performance.now() - began;
      if (builder.isFull) {
        await this.#write(builder);
        builder = new SegmentBuilder();
      }
    }
    await this.#write(builder);
    this.#view = this.#newView();
  }

  async #write(builder: SegmentBuilder): Promise<void> {
    const began = performance.now();
    const id = await this.store.write(builder.finish());
    this.#segments.push({ id, pages: this.store.readPages(id) });
    this.buildMs += performance.now() - began;
    const mergeBegan = performance.now();
    for (let chosen = this.#plan(); chosen.length > 0; chosen = this.#plan()) await this.#merge(chosen);
    this.mergeMs += performance.now() - mergeBegan;
  }

  #plan(): number[] {
    return planMerge(
      this.#segments.map(({ pages }) => ({ sections: pages.sectionCount, liveSections: pages.sectionCount })),
    );
  }

  async #merge(chosen: readonly number[]): Promise<void> {
    const { segments } = this.#newView();
    const merged = chosen.map((index) => segments[index] as StoredSegment);
    const id = await this.store.write(
      mergeSegments(merged, this.store),
      merged.map((segment) => segment.id),
    );
    const left = this.#segments.filter((_, index) => !chosen.includes(index));
    this.#segments = [...left, { id, pages: this.store.readPages(id) }];
  }

  get segmentCount(): number {
    return this.#segments.length;
  }

  #newView(): IndexView {
    const live = findLivePages(
      this.#segments.map(({ pages }) => pages),
      this.#nodes.size,
      (ids, start) => this.#nodes.get(keyOf(ids, start)) ?? -1,
    );
    return viewOf(
      this.#segments.map(({ id, pages }, index) => ({
        id,
        pages,
        live: live[index] as StoredSegment["live"],
      })),
    );
  }

  async search(query: string, limit: number, maxEntries = 100_000): Promise<SearchResult> {
    const parsed = parseQuery(query);
    if (parsed === null) throw new Error(`no word in ${query}`);
    return await searchTexts(this.#view, this.store, parsed, {
      limit,
      ranks: this.#ranks,
      byRelevance: true,
      after: null,
      accepts: () => true,
      maxEntries,
      isOver: () => false,
    });
  }
}

const keyOf = (ids: Uint8Array, start: number) =>
  Buffer.from(ids.subarray(start, start + 16)).toString("latin1");
