import { stat } from "node:fs/promises";
import { join } from "node:path";
import {
  decodePages,
  findLivePages,
  type IndexView,
  mergeSegments,
  pageTokens,
  parseQuery,
  planMerge,
  type SearchResult,
  SegmentBuilder,
  type SegmentOutput,
  type SegmentPages,
  type StoredSegment,
  searchTexts,
  viewOf,
} from "@clew/text-index";
import BetterSqlite3 from "better-sqlite3";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { openTextReader, openTextWriter } from "../../packages/server/src/store/database.ts";
import type {
  NewSegment,
  TextManifest,
  TextReader,
  TextWriter,
} from "../../packages/server/src/store/port.ts";
import { cpuMs } from "./cpu.ts";
import { idOf, pageOf } from "./texts.ts";

const connectionId = 1;

interface Segment {
  readonly id: number;
  readonly pages: SegmentPages;
}

/** The cost of building, in milliseconds of processor time. */
export interface BuildFigures {
  readonly textBytes: number;
  readonly buildMs: number;
  readonly mergeMs: number;
}

/** Builds Clew's text index of a made-up workspace. `location` is that of its database; with SQLite there need not be one. */
export async function buildClewIndex(
  location: DatabaseLocation,
  seed: number,
  count: number,
): Promise<BuildFigures> {
  const writer = await openTextWriter(location, new Uint8Array(16), () => {});
  const build = new Build(writer, nodesOf(count));
  const utf8 = new TextEncoder();
  let textBytes = 0;
  let builder = new SegmentBuilder();
  for (let page = 0; page < count; page += 1) {
    const source = pageOf(seed, page);
    textBytes += utf8.encode(source.markdown).length + utf8.encode(source.title).length;
    const began = cpuMs();
    builder.add(idOf(page), 1, pageTokens(source, builder.terms));
    build.buildMs += cpuMs() - began;
    if (!builder.isFull) continue;
    await build.write(builder.finish());
    builder = new SegmentBuilder();
  }
  await build.write(builder.finish());
  await writer.close();
  return { textBytes, buildMs: build.buildMs, mergeMs: build.mergeMs };
}

/** Bytes of the file after what was deleted is given back. */
export async function compactIndex(folder: string): Promise<number> {
  const path = join(folder, "text-index.db");
  const file = new BetterSqlite3(path);
  file.exec("vacuum");
  file.pragma("wal_checkpoint(truncate)");
  file.close();
  return (await stat(path)).size;
}

/** Writes segments and merges them as the index thread does. */
class Build {
  buildMs = 0;
  mergeMs = 0;
  readonly #writer: TextWriter;
  readonly #nodes: FindNode;
  #segments: readonly Segment[] = [];
  #manifest: TextManifest | null = null;

  constructor(writer: TextWriter, nodes: FindNode) {
    this.#writer = writer;
    this.#nodes = nodes;
  }

  async write(output: SegmentOutput): Promise<void> {
    const began = cpuMs();
    await this.#replace([], output);
    this.buildMs += cpuMs() - began;
    const mergeBegan = cpuMs();
    for (let chosen = this.#plan(); chosen.length > 0; chosen = this.#plan()) {
      await this.#replace(chosen, mergeSegments(chosen, this.#writer.blocks));
    }
    this.mergeMs += cpuMs() - mergeBegan;
  }

  #plan(): StoredSegment[] {
    const { segments } = liveView(this.#segments, this.#nodes);
    const sizes = segments.map(({ pages }) => ({
      sections: pages.sectionCount,
      liveSections: pages.sectionCount,
    }));
    return planMerge(sizes).map((index) => segments[index] as StoredSegment);
  }

  async #replace(
    merged: readonly StoredSegment[],
    output: NewSegment & { pages: SegmentPages },
  ): Promise<void> {
    const id = await this.#writer.writeSegment(connectionId, output);
    const old = new Set(merged.map((segment) => segment.id));
    this.#segments = [...this.#segments.filter((each) => !old.has(each.id)), { id, pages: output.pages }];
    const manifest = { revision: 1, indexed: 1, segments: this.#segments.map((each) => each.id) };
    await this.#writer.commit(connectionId, manifest, this.#manifest);
    this.#manifest = manifest;
    while (await this.#writer.removeDropped(-1));
  }
}

/** Clew's text index of a made-up workspace, opened as a query thread opens it. */
export class ClewIndex {
  readonly segmentCount: number;
  readonly #reader: TextReader;
  readonly #view: IndexView;
  readonly #ranks: Uint32Array;
  readonly #pages: Uint32Array;

  private constructor(reader: TextReader, view: IndexView, ranks: Uint32Array, pages: Uint32Array) {
    this.#pages = pages;
    this.#reader = reader;
    this.#view = view;
    this.#ranks = ranks;
    this.segmentCount = view.segments.length;
  }

  /** Null if there is no index of this database. */
  static async open(location: DatabaseLocation, count: number): Promise<ClewIndex | null> {
    const reader = await openTextReader(location);
    if (reader === null) return null;
    const segments = await reader.snapshot(async (view) => {
      const manifest = await view.manifest(connectionId);
      const found: Segment[] = [];
      for (const id of manifest?.segments ?? [])
        found.push({ id, pages: decodePages(await view.pageChunks(id)) });
      return found;
    });
    const ranks = Uint32Array.from({ length: count }, (_, node) => (node * 7919) % 10_000_019);
    const nodes = nodesOf(count);
    const pages = new Uint32Array(count);
    for (let page = 0; page < count; page += 1) pages[nodes.at(idOf(page), 0)] = page;
    return new ClewIndex(reader, liveView(segments, nodes), ranks, pages);
  }

  get segments(): readonly StoredSegment[] {
    return this.#view.segments;
  }

  get snapshot(): TextReader["snapshot"] {
    return this.#reader.snapshot;
  }

  /** The page that is a node. */
  pageAt(node: number): number {
    return this.#pages[node] ?? 0;
  }

  async search(text: string, limit: number, maxEntries = 48_000): Promise<SearchResult> {
    const query = parseQuery(text);
    if (query === null) throw new Error(`no word in ${text}`);
    return await this.#reader.snapshot((blocks) =>
      searchTexts(this.#view, blocks, query, {
        limit,
        ranks: this.#ranks,
        byRelevance: true,
        after: null,
        accepts: null,
        maxEntries,
        isOver: () => false,
      }),
    );
  }

  close(): Promise<void> {
    return this.#reader.close();
  }
}

/** The node of the page whose id starts at a byte. */
type FindNode = { readonly count: number; at(ids: Uint8Array, start: number): number };

/** Nodes are the pages in the order of their ids, whose first eight bytes differ. */
function nodesOf(count: number): FindNode {
  const sorted = BigUint64Array.from({ length: count }, (_, page) => keyOf(idOf(page), 0)).sort();
  return {
    count,
    at(ids, start) {
      const key = keyOf(ids, start);
      let [low, high] = [0, count - 1];
      while (low < high) {
        const middle = (low + high) >>> 1;
        if ((sorted[middle] as bigint) < key) low = middle + 1;
        else high = middle;
      }
      return sorted[low] === key ? low : -1;
    },
  };
}

const keyOf = (ids: Uint8Array, start: number) =>
  new DataView(ids.buffer, ids.byteOffset + start).getBigUint64(0);

function liveView(segments: readonly Segment[], nodes: FindNode): IndexView {
  const live = findLivePages(
    segments.map(({ pages }) => pages),
    nodes.count,
    nodes.at,
  );
  return viewOf(
    segments.map((segment, index) => ({ ...segment, live: live[index] as StoredSegment["live"] })),
  );
}
