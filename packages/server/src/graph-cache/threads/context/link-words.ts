import { type NodeId, parseNodeId } from "@clew/graph";
import type { Source } from "../job.ts";
import type { MatchedPage } from "./matched-pages.ts";
import type { Matches, WordMatcher } from "./word-matching.ts";

/** Addresses of pages end in their ids. */
const minAddressChars = 32;
const pageId = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-f])|[0-9a-f]{32}(?![0-9a-f])/g;

/**
 * What the passages that link to a page have of the question: a passage that answers may have none of its words where the
 * one that leads to it has them all.
 */
export class LinkWords {
  readonly #bySource: readonly Map<NodeId, Matches>[];
  readonly #sources: readonly Source[];
  readonly #matcher: WordMatcher;

  constructor(sources: readonly Source[], pages: readonly MatchedPage[], matcher: WordMatcher) {
    this.#sources = sources;
    this.#matcher = matcher;
    this.#bySource = sources.map(() => new Map());
    for (const { candidate, passages } of pages) {
      const found = this.#bySource[candidate.source];
      for (const { block, matches } of passages) {
        // Addresses are not shown.
        const hasAddress = block.source.length - block.text.length >= minAddressChars;
        if (matches === matcher.nothing || !hasAddress) continue;
        for (const [address] of block.source.matchAll(pageId)) {
          const id = parseNodeId(address);
          if (id !== null) found?.set(id, matcher.union(found.get(id) ?? matcher.nothing, matches));
        }
      }
    }
  }

  of({ candidate: { source, node } }: MatchedPage): Matches {
    const id = this.#sources[source]?.graph.nodeAt(node).id;
    return (id === undefined ? undefined : this.#bySource[source]?.get(id)) ?? this.#matcher.nothing;
  }
}
