import { setImmediate } from "node:timers/promises";
import { packIds } from "@clew/graph";
import { mergeSegments, planMerge } from "@clew/text-index";
import type { ReadHandle, TextWriter } from "../store/port.ts";
import { nodeKeysOf } from "../store/queries/page-texts.ts";
import { liveSegments, type StoredIndex } from "./stored-index.ts";

/**
 * Segments of a connection from which on they are merged although what an earlier merge replaced is still stored: a query looks
 * into each of them.
 */
const manySegments = 6;

/** Merges segments in the background, one connection after the other. */
export class SegmentMerger {
  readonly #db: ReadHandle;
  readonly #texts: TextWriter;
  readonly #index: StoredIndex;
  #merging: Promise<void> = Promise.resolve();

  constructor(db: ReadHandle, texts: TextWriter, index: StoredIndex) {
    this.#db = db;
    this.#texts = texts;
    this.#index = index;
  }

  /**
   * Merges segments of a connection until there are few (see `planMerge`), unless what an earlier merge replaced is still stored:
   * the same texts would be there three times, and a database keeps the space that it once took. `onError` receives the failure.
   */
  mergeLater(connectionId: number, onError: (error: unknown) => void): void {
    this.#merging = this.#merging.then(() => this.#mergeAll(connectionId)).catch(onError);
  }

  /** Resolves after the merges that were begun. */
  async settled(): Promise<void> {
    await this.#merging;
  }

  async #mergeAll(connectionId: number): Promise<void> {
    const { length } = (await this.#index.manifest(connectionId))?.segments ?? [];
    if (length < manySegments && (await this.#texts.hasDropped(connectionId))) return;
    while (await this.#mergeSome(connectionId)) await setImmediate();
  }

  async #mergeSome(connectionId: number): Promise<boolean> {
    const { segments } = await this.#index.read(connectionId);
    if (segments.length === 0) return false;
    const live = liveSegments(segments, packIds(await nodeKeysOf(this.#db, connectionId)));
    const chosen = planMerge(
      live.map(({ pages, live: { sectionCount } }) => ({
        sections: pages.sectionCount,
        liveSections: sectionCount,
      })),
    ).flatMap((index) => live[index] ?? []);
    if (chosen.length === 0) return false;
    const merged = mergeSegments(chosen, this.#texts.blocks);
    const id = merged.pages.pageCount === 0 ? null : await this.#texts.writeSegment(connectionId, merged);
    return this.#index.replace(
      connectionId,
      chosen.map((segment) => segment.id),
      id,
    );
  }
}
