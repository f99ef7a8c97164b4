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
  /** The part of its rank that it has because the question names it. */
  readonly named: number;
}

/** A page that a search found. */
export interface Found {
  readonly source: number;
  readonly node: number;
  readonly relevance: number;
}

interface PlacedNode {
  readonly source: number;
  readonly node: number;
}

/** A page that a question names, and the share of the question's weight that its name has. */
export interface NamedNode extends PlacedNode {
  readonly share: number;
}

/** The rank that a page has because the question names it: more than the best text has. */
const namedRank = 1;

/** The share of the question's weight from which a name counts fully: one word of many may be meant as a word. */
const fullName = 0.25;

/** Found pages from whose links others are reached, besides the pages that are named or asked about. */
const seedPages = 12;

/** The part of a rank that a link adds at most. */
const linkShare = 0.8;

/** The share of its link's part that a page passes on to those that it is linked with. */
const secondStep = 0.7;

const rankOf = ({ text, link, named }: Candidate) => text + link + named;

/** The pages from which candidates are gathered. */
interface Beginning {
  readonly found: readonly Found[];
  readonly about: PlacedNode | null;
  readonly named: readonly NamedNode[];
}

/**
 * Collects the pages that a search found, those that the question names, the page that was asked about, and the pages
 * that are linked with the best of them: two steps away from those that are named. Returns the best first.
 */
export function findCandidates(graphs: readonly Graph[], { found, about, named }: Beginning): Candidate[] {
  const candidates = new CandidateTable(graphs);
  const best = found[0]?.relevance || 1;
  for (const { relevance, ...page } of found) candidates.update(page, { text: (relevance / best) ** 2 });
  for (const { share, ...page } of named)
    candidates.update(page, { named: namedRank * Math.min(1, share / fullName) + share });
  if (about !== null) candidates.update(about, { text: 1, isAsked: true });
  for (const page of [...(about === null ? [] : [about]), ...found.slice(0, seedPages)])
    candidates.follow(page, candidates.of(page).text);
  for (const page of named)
    for (const next of candidates.follow(page, 1)) candidates.follow(next, secondStep * next.link);
  return candidates.ranked();
}

class CandidateTable {
  readonly #graphs: readonly Graph[];
  readonly #bySource = new Map<number, Map<number, Candidate>>();

  constructor(graphs: readonly Graph[]) {
    this.#graphs = graphs;
  }

  of({ source, node }: PlacedNode): Candidate {
    const unknown = { source, node, text: 0, link: 0, via: null, isAsked: false, named: 0 };
    return this.#bySource.get(source)?.get(node) ?? unknown;
  }

  update(page: PlacedNode, change: Partial<Candidate>): Candidate {
    const { source, node } = page;
    const candidate = { ...this.of({ source, node }), ...change };
    const own = this.#bySource.get(source) ?? new Map<number, Candidate>();
    this.#bySource.set(source, own.set(node, candidate));
    return candidate;
  }

  /** Raises the pages that a page is linked with, and returns them. */
  follow({ source, node }: PlacedNode, strength: number): Candidate[] {
    const graph = this.#graphs[source];
    if (graph === undefined) return [];
    return [...linkedWith(graph, node)].map(([other, weight]) => {
      const link = linkShare * strength * weight;
      const page = this.of({ source, node: other });
      return link > page.link ? this.update(page, { link, via: node }) : page;
    });
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
