import { type Graph, labelAt, rowLength } from "@clew/graph";

/** A page that may have the answer. */
export interface Candidate {
  /** The position of its graph. */
  readonly source: number;
  readonly node: number;
  /** The relevance of its text as a share of the best one, squared. */
  readonly text: number;
  /** The part of its rank that comes from links. */
  readonly link: number;
  /** The node whose link added that part. */
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

/** The part of a rank that a link adds at most. */
const linkShare = 0.8;

export const rankOf = ({ text, link }: Candidate) => text + link;

/**
 * Collects the pages that a search found, the page that was asked about, and the pages that are linked with the best of
 * them. Returns the best first.
 */
export function findCandidates(
  graphs: readonly Graph[],
  found: readonly Found[],
  about: Pick<Candidate, "source" | "node"> | null,
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
    for (const [other, weight] of linkedWith(graphs[source] as Graph, node)) {
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

/** A parent or child is a tenth of what a link in a text is, as for importance (GRAPH-20). */
const childWeight = 0.1;

/** Edges of one node that are read in each direction: the links of a hub say nothing. */
const maxEdges = 1000;

/**
 * Weighs the nodes that are linked with a node in either direction, each with at most 1. As in GRAPH-21, a link to a page
 * with many edges counts less.
 */
function linkedWith({ columns }: Graph, node: number): Map<number, number> {
  const degreeOf = (of: number) => rowLength(columns.in, of) + rowLength(columns.out, of);
  const weights = new Map<number, number>();
  for (const rows of [columns.out, columns.in]) {
    const start = rows.offsets[node] ?? 0;
    const end = Math.min(start + rowLength(rows, node), start + maxEdges);
    for (let position = start; position < end; position += 1) {
      const other = rows.nodes[position] ?? node;
      if (other === node) continue;
      const { type } = labelAt(columns.labels, rows.labels[position] ?? 0);
      const weight = ((type === "child" ? childWeight : 1) * Math.log(3)) / Math.log(2 + degreeOf(other));
      weights.set(other, Math.max(weights.get(other) ?? 0, weight));
    }
  }
  return weights;
}
