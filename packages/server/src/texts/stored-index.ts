import { setImmediate } from "node:timers/promises";
import { idLookup, type NodeIds, packIds } from "@clew/graph";
import {
  decodePages,
  findLivePages,
  type SegmentPages,
  type StoredSegment,
  segmentBytes,
} from "@clew/text-index";
import { LRUCache } from "lru-cache";
import type { TextManifest, TextView, TextWriter } from "../store/port.ts";
import type { TextSnapshot } from "./text-snapshots.ts";

/** Bytes of segments' pages that are kept, for the next update or snapshot. */
const keptPagesBytes = 64 * 1024 * 1024;

/** Milliseconds for which a segment stays after it was replaced: longer than a query, or a graph that it belongs to, lasts. */
const droppedSegmentMs = 2 * 60_000;

/** Attempts to commit while other processes index the same connection. */
const maxAttempts = 5;

/** The pages of a stored segment. */
export interface IndexedSegment {
  readonly id: number;
  readonly pages: SegmentPages;
}

/**
 * The stored text index: what its manifests name, and how they change. Several processes may change a manifest; each change
 * is made again on top of the other's.
 */
export class StoredIndex {
  readonly #texts: TextWriter;
  readonly #kept = new LRUCache<number, SegmentPages>({
    maxSize: keptPagesBytes,
    sizeCalculation: segmentBytes,
  });
  /** The manifest of each connection at the last call of `changed`. */
  #seen: ReadonlyMap<number, string> = new Map();

  constructor(texts: TextWriter) {
    this.#texts = texts;
  }

  manifest(connectionId: number): Promise<TextManifest | null> {
    return this.#texts.snapshot((view) => view.manifest(connectionId));
  }

  manifests(): Promise<ReadonlyMap<number, TextManifest>> {
    return this.#texts.snapshot((view) => view.manifests());
  }

  /** The index of a connection. */
  read(connectionId: number) {
    return this.#texts.snapshot(async (view) => {
      const manifest = await view.manifest(connectionId);
      const segments: IndexedSegment[] = [];
      for (const id of manifest?.segments ?? []) segments.push({ id, pages: await this.#pagesIn(view, id) });
      return { storeId: view.storeId, manifest, segments };
    });
  }

  async #pagesIn(view: TextView, segment: number): Promise<SegmentPages> {
    const pages = this.#kept.get(segment) ?? decodePages(await view.pageChunks(segment));
    this.#kept.set(segment, pages);
    return pages;
  }

  /** The index as a graph with these ids sees it. */
  async open(connectionId: number, graphIds: NodeIds): Promise<TextSnapshot> {
    const { storeId, manifest, segments } = await this.read(connectionId);
    return {
      storeId,
      revision: manifest?.revision ?? 0,
      indexed: manifest?.indexed ?? (graphIds.length === 0 ? 1 : 0),
      segments: liveSegments(segments, graphIds),
    };
  }

  /** The connections whose index has changed since the last call, whichever process changed it. */
  async changed(): Promise<number[]> {
    const states = new Map(
      [...(await this.manifests())].map(([id, manifest]) => [id, JSON.stringify(manifest)]),
    );
    const changed = [...states].flatMap(([id, state]) => (this.#seen.get(id) === state ? [] : [id]));
    this.#seen = states;
    return changed;
  }

  /**
   * Adopts new segments: adds them to the manifest after those that it has. A merge may have replaced some of these. False if
   * another process has indexed more than `before` names.
   */
  async adopt(
    connectionId: number,
    added: readonly number[],
    {
      before,
      ...next
    }: Pick<TextManifest, "revision" | "indexed"> & { readonly before: TextManifest | null },
  ): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { manifest } = await this.read(connectionId);
      if ((manifest?.revision ?? 0) > (before?.revision ?? 0)) return false;
      const segments = [...new Set([...(manifest?.segments ?? []), ...added])];
      if (await this.#texts.commit(connectionId, { ...next, segments }, manifest)) return true;
    }
    return false;
  }

  /** Puts a merged segment in the place of the newest of those that it was made of. False if another process changed them. */
  async replace(connectionId: number, merged: readonly number[], id: number | null): Promise<boolean> {
    for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
      const { manifest } = await this.read(connectionId);
      if (manifest === null || !merged.every((segment) => manifest.segments.includes(segment))) return false;
      const segments = manifest.segments.flatMap((segment) => {
        if (!merged.includes(segment)) return [segment];
        return segment === merged.at(-1) && id !== null ? [id] : [];
      });
      if (await this.#texts.commit(connectionId, { ...manifest, segments }, manifest)) return true;
    }
    return false;
  }

  /** Deletes removed connections and replaced segments. `storedIds` reads the connections that the store has. */
  async drop(storedIds: () => Promise<readonly number[]>): Promise<void> {
    // In this order: nothing of a connection is indexed before it is stored, and ids are never used again.
    const indexed = await this.#texts.connectionIds();
    const stored = new Set(await storedIds());
    await this.#texts.removeConnections(indexed.filter((id) => !stored.has(id)));
    while (await this.#texts.removeDropped(droppedSegmentMs)) await setImmediate();
  }
}

/** Segments with the pages that are found in them: those whose ids are among these. */
export function liveSegments(segments: readonly IndexedSegment[], ids: NodeIds): StoredSegment[] {
  const find = idLookup(ids);
  const packed = new Map(segments.map(({ pages }) => [pages.ids, packIds(pages.ids)]));
  const live = findLivePages(
    segments.map(({ pages }) => pages),
    ids.length / 4,
    (of, start) => find(packed.get(of) ?? new Uint32Array(), start / 16),
  );
  return segments.flatMap(({ id, pages }, index) => {
    const own = live[index];
    return own === undefined ? [] : [{ id, pages, live: own }];
  });
}
