import type { Chunk, CorpusPage } from "./pages.ts";

/*
 * BM25 over chunks, as in a textbook: k1 = 1.2, b = 0.75, words as they are. Nothing was tuned.
 */

const k1 = 1.2;
const b = 0.75;

/** The words of a text, in small letters. */
export const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export interface ScoredChunk {
  readonly chunk: Chunk;
  readonly score: number;
}

/** An index of chunks in memory. */
export class Bm25 {
  private readonly chunks: readonly Chunk[];
  private readonly lengths: readonly number[];
  private readonly meanLength: number;
  /** For each word, how often each chunk has it. */
  private readonly postings = new Map<string, Map<number, number>>();

  constructor(pages: readonly CorpusPage[]) {
    this.chunks = pages.flatMap((page) => page.chunks);
    this.lengths = this.chunks.map(({ text }, place) => {
      const words = wordsOf(text);
      for (const word of words) {
        const counts = this.postings.get(word) ?? new Map<number, number>();
        counts.set(place, (counts.get(place) ?? 0) + 1);
        this.postings.set(word, counts);
      }
      return words.length;
    });
    this.meanLength = this.lengths.reduce((sum, length) => sum + length, 0) / this.lengths.length;
  }

  /** The chunks that have a word of the question, best first. */
  search(question: string): readonly ScoredChunk[] {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(question))) {
      const counts = this.postings.get(word) ?? new Map<number, number>();
      const rarity = Math.log(1 + (this.chunks.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [place, count] of counts) {
        const length = (this.lengths[place] ?? 0) / this.meanLength;
        const share = (count * (k1 + 1)) / (count + k1 * (1 - b + b * length));
        scores.set(place, (scores.get(place) ?? 0) + rarity * share);
      }
    }
    return [...scores]
      .flatMap(([place, score]) => {
        const chunk = this.chunks[place];
        return chunk === undefined ? [] : [{ chunk, score }];
      })
      .sort(byScore);
  }
}

const byScore = (a: ScoredChunk, b: ScoredChunk) => b.score - a.score;

const seeds = 5;
const outShare = 0.5;
const inShare = 0.3;

/**
 * The chunks after one step over links: the best pages hand a share of their score to the pages that they link to and that link to
 * them, where it counts for the best chunk. A page with many links hands less to each.
 */
export function withLinks(
  found: readonly ScoredChunk[],
  pages: readonly CorpusPage[],
): readonly ScoredChunk[] {
  const best = new Map<number, ScoredChunk>();
  for (const scored of found) if (!best.has(scored.chunk.page)) best.set(scored.chunk.page, scored);
  const added = new Map<number, number>();
  const add = (targets: readonly number[], score: number) => {
    for (const page of targets)
      added.set(page, (added.get(page) ?? 0) + score / Math.log2(2 + targets.length));
  };
  for (const { chunk, score } of [...best.values()].slice(0, seeds)) {
    const page = pages[chunk.page];
    add(page?.to ?? [], score * outShare);
    add(page?.from ?? [], score * inShare);
  }
  const raised = [...added].flatMap(([page, score]) => {
    const chunk = best.get(page)?.chunk ?? pages[page]?.chunks[0];
    return chunk === undefined ? [] : [{ chunk, score: score + (best.get(page)?.score ?? 0) }];
  });
  const isRaised = new Set(raised.map(({ chunk }) => chunk));
  return [...raised, ...found.filter(({ chunk }) => !isRaised.has(chunk))].sort(byScore);
}
