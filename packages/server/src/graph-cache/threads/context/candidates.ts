import type { Source } from "../job.ts";
import { linkedWith } from "./link-weights.ts";

/** A page that may have the answer. */
export interface Candidate {
  readonly source: number;
  readonly node: number;
  /** How relevant its text is beside the best one, squared, and what links add. */
  readonly text: number;
  readonly link: number;
  /** The node whose link added it. */
  readonly via: number | null;
  readonly isAsked: boolean;
}

/** A page that a search found. */
export interface Found {
  readonly source: number;
  readonly node: number;
  readonly relevance: number;
}

/** Pages from whose links others are reached. */
const seedPages = 12;

export const rankOf = ({ text, link }: Candidate) => text + link;

/**
 * The pages that a search found, the page that was asked about, and what is linked with the best of them, the best first.
 *
 * @param linkShare What a link adds to a rank, at most.
 */
export function findCandidates(
  sources: readonly Source[],
  found: readonly Found[],
  about: Pick<Candidate, "source" | "node"> | null,
  linkShare: number,
): Candidate[] {
  const candidates = new CandidateTable();
  const best = found[0]?.relevance || 1;
  for (const { source, node, relevance } of found)
    candidates.update(source, node, { text: (relevance / best) ** 2 });
  const seeds = found.slice(0, seedPages).map(({ source, node }) => candidates.of(source, node));
  if (about !== null) {
    const asked = candidates.update(about.source, about.node, { text: 1, isAsked: true });
    seeds.unshift(asked);
  }
  for (const { source, node, text } of seeds) {
    const { graph } = sources[source] as Source;
    for (const [other, weight] of linkedWith(graph, node)) {
      const link = linkShare * text * weight;
      if (link > candidates.of(source, other).link) candidates.update(source, other, { link, via: node });
    }
  }
  return candidates.ranked();
}

class CandidateTable {
  readonly #bySource = new Map<number, Map<number, Candidate>>();

  of(source: number, node: number): Candidate {
    const unknown = { source, node, text: 0, link: 0, via: null, isAsked: false };
    return this.#bySource.get(source)?.get(node) ?? unknown;
  }

  update(source: number, node: number, change: Partial<Candidate>): Candidate {
    const candidate = { ...this.of(source, node), ...change };
    const own = this.#bySource.get(source) ?? new Map<number, Candidate>();
    this.#bySource.set(source, own.set(node, candidate));
    return candidate;
  }

  ranked(): Candidate[] {
    const all = [...this.#bySource.values()].flatMap((own) => [...own.values()]);
    return all.sort((a, b) => rankOf(b) - rankOf(a) || a.source - b.source || a.node - b.node);
  }
}
