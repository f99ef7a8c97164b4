import type { Context } from "@clew/contract";
import type { Graph } from "@clew/graph";
import { parseQuery, type TextQuery, termsOf } from "@clew/text-index";
import { presentLink } from "../../present/values.ts";
import { readSearchedPage } from "../../store/queries/page-texts.ts";
import type { JobServices, Source } from "./job.ts";
import { linkedWith } from "./link-weights.ts";
import { codePointSlices, type Passage, rankPassages } from "./passage-ranking.ts";
import { questionWords } from "./question-words.ts";
import { findTexts } from "./text-job.ts";
import { type WeightedTerm, WordMatcher } from "./word-matching.ts";

/** What to gather (GRAPH-22). */
export interface ContextJobInput {
  /** It has a word to look for; null to gather what surrounds `about`. */
  readonly query: string | null;
  /** A node of one of the sources. */
  readonly about: { readonly source: number; readonly node: number } | null;
  readonly maxChars: number;
}

/** A page of the context. */
interface ContextPage {
  readonly source: number;
  readonly node: number;
  readonly why: Context["items"][number]["why"];
  /** The node that led to it. */
  readonly via: number | null;
  readonly passages: readonly { readonly offset: number; readonly chars: number }[];
}

export interface ContextJobResult {
  readonly markdown: string;
  readonly items: readonly ContextPage[];
  readonly omitted: {
    readonly count: number;
    readonly best: readonly { readonly source: number; readonly node: number }[];
  };
  readonly truncated: boolean;
}

/** Pages that are ranked by their texts. */
const foundPages = 200;
/** Pages from whose links others are reached. */
const seedPages = 12;
/** Pages whose texts are read, and code points of all of them. */
const readPages = 40;
const readChars = 2_000_000;
/** What a link adds to the rank of the page that it leads to, at most. */
const linkShare = 0.8;
/** How much the rank of a page counts beside the words of a passage, and the rank that all pages have. */
const pageShare = 0.8;
const leastRank = 0.05;
/** Shares of a context that a page may take: first, while others wait, and where no other page has anything. */
const firstShare = 0.15;
const mostShare = 0.5;
const omittedPages = 10;
/** Bounds of the head of a page, which is shorter than the smallest context. */
const longestTitle = 100;
const nearestAncestors = 4;
const longestUrl = 200;

interface Candidate {
  readonly source: number;
  readonly node: number;
  /** How relevant its text is beside the best one, squared, and what links add. */
  text: number;
  link: number;
  via: number | null;
  isAsked: boolean;
}

/** Gathers the passages that answer a question, or that surround a page. */
export async function contextJob(
  services: JobServices,
  sources: readonly Source[],
  { query, about, maxChars }: ContextJobInput,
): Promise<ContextJobResult> {
  const question = query === null ? null : questionWords(parseQuery(query));
  const candidates = new Candidates();
  const asked = about === null ? null : candidates.of(about.source, about.node);
  if (asked !== null) asked.isAsked = true;
  const { found, weights, truncated } = await search(services, sources, question);
  const best = found[0]?.page.relevance || 1;
  for (const { source, page } of found) {
    candidates.of(source, page.node).text = (page.relevance / best) ** 2;
  }
  if (asked !== null) asked.text = 1;
  const seeds = found.slice(0, seedPages).map(({ source, page }) => candidates.of(source, page.node));
  if (asked !== null && !seeds.includes(asked)) seeds.unshift(asked);
  for (const { source, node, text } of seeds) {
    const { graph } = sources[source] as Source;
    for (const [other, weight] of linkedWith(graph, node)) {
      const candidate = candidates.of(source, other);
      const link = linkShare * text * weight;
      if (link <= candidate.link) continue;
      candidate.link = link;
      candidate.via = node;
    }
  }
  const terms = question === null ? [] : weighted(question, weights);
  const ranked = candidates.ranked();
  const pages = await readTexts(services, sources, ranked.slice(0, readPages), terms);
  const packed = pack(sources, pages, maxChars, terms);
  const included = new Set(packed.items.map(({ source, node }) => candidates.of(source, node)));
  const omitted = ranked.filter((each) => !included.has(each) && (question === null || each.text > 0));
  return {
    ...packed,
    omitted: {
      count: omitted.length,
      best: omitted.slice(0, omittedPages).map(({ source, node }) => ({ source, node })),
    },
    truncated,
  };
}

async function search(services: JobServices, sources: readonly Source[], query: TextQuery | null) {
  if (query === null) return { found: [], weights: [], truncated: false };
  const within = sources.map(() => ({ filter: {}, after: null }));
  return findTexts(services, sources, { query, sort: "relevance", order: "desc", limit: foundPages, within });
}

class Candidates {
  readonly #bySource = new Map<number, Map<number, Candidate>>();

  has(source: number, node: number): boolean {
    return this.#bySource.get(source)?.has(node) ?? false;
  }

  of(source: number, node: number): Candidate {
    const own = this.#bySource.get(source) ?? new Map<number, Candidate>();
    this.#bySource.set(source, own);
    const candidate = own.get(node) ?? { source, node, text: 0, link: 0, via: null, isAsked: false };
    own.set(node, candidate);
    return candidate;
  }

  ranked(): Candidate[] {
    const all = [...this.#bySource.values()].flatMap((own) => [...own.values()]);
    return all.sort((a, b) => rankOf(b) - rankOf(a) || a.source - b.source || a.node - b.node);
  }
}

const rankOf = ({ text, link }: Candidate) => text + link;

/** The words of a question with their weights; a phrase counts by its words. */
function weighted(question: TextQuery, weights: readonly number[]): WeightedTerm[] {
  return question.words.flatMap(({ terms }, index) =>
    terms.map((term) => ({ term, weight: weights[index] ?? 0 })),
  );
}

interface PageText {
  readonly candidate: Candidate;
  readonly markdown: string;
  readonly title: readonly string[];
  readonly passages: readonly Passage[];
}

async function readTexts(
  { db }: JobServices,
  sources: readonly Source[],
  candidates: readonly Candidate[],
  question: readonly WeightedTerm[],
): Promise<PageText[]> {
  const matcher = new WordMatcher(question);
  const best = Math.max(...candidates.map(rankOf), Number.MIN_VALUE);
  const pages: PageText[] = [];
  let chars = 0;
  for (const candidate of candidates) {
    const { graph, connectionId } = sources[candidate.source] as Source;
    const stored = await readSearchedPage(db, connectionId, graph.nodeAt(candidate.node).id);
    if (stored === null) continue;
    chars += stored.markdown.length;
    if (pages.length > 0 && chars > readChars) break;
    const title = termsOf([stored.title, ...stored.aliases].join(" "));
    const rank = pageShare * Math.log(rankOf(candidate) / best + leastRank);
    const passages = rankPassages(matcher, title, stored.markdown).map((passage) => ({
      ...passage,
      score: passage.score + rank,
    }));
    pages.push({ candidate, markdown: stored.markdown, title, passages });
  }
  return pages;
}

/** What a context has of a page. */
interface TakenPage {
  readonly head: string;
  readonly places: Pick<Passage, "offset" | "chars">[];
  chars: number;
}

/** Takes the best passages as long as there is room, each page with its head, and lays them out in the order of texts. */
function pack(
  sources: readonly Source[],
  pages: readonly PageText[],
  maxChars: number,
  terms: readonly WeightedTerm[],
): Pick<ContextJobResult, "markdown" | "items"> {
  const all = pages
    .flatMap((page, rank) => page.passages.map((passage) => ({ passage, page, rank })))
    .sort(
      (a, b) => b.passage.score - a.passage.score || a.rank - b.rank || a.passage.offset - b.passage.offset,
    );
  const taken = new Map<PageText, TakenPage>();
  const seen = new Set<string>();
  const headFor = (page: PageText) => headOf(sources, page, reasonOf(page, terms));
  let room = maxChars;
  const take = (page: PageText, { offset, chars, heading, key }: Passage, most: number): boolean => {
    // Copies of pages, and other versions of them, say the same.
    if (seen.has(key)) return true;
    const own = taken.get(page) ?? { head: headFor(page), places: [], chars: 0 };
    const isUnderHeading = heading === null || own.places.some((place) => place.offset === heading.offset);
    const places = [...(isUnderHeading ? [] : [heading]), { offset, chars }];
    const cost = places.reduce(
      (sum, place) => sum + place.chars + 2,
      own.chars === 0 ? length(own.head) + 2 : 0,
    );
    const isFirst = own.chars === 0 && cost <= mostShare * maxChars;
    if (cost > room || (!isFirst && own.chars + cost > most)) return false;
    room -= cost;
    own.places.push(...places);
    own.chars += cost;
    taken.set(page, own);
    seen.add(key);
    return true;
  };
  let left = all.filter(({ page, passage }) => !take(page, passage, firstShare * maxChars));
  left = left.filter(({ page, passage }) => !take(page, passage, mostShare * maxChars));
  // Where nothing else waits, one page may fill the rest.
  if (taken.size === pages.length) for (const { page, passage } of left) take(page, passage, maxChars);
  const [first] = all;
  if (taken.size === 0 && first !== undefined) {
    const head = headFor(first.page);
    const { offset } = first.passage;
    const chars = Math.max(0, Math.min(first.passage.chars, room - length(head) - 2));
    taken.set(first.page, { head, places: [{ offset, chars }], chars });
  }
  const laidOut = pages.flatMap((page) => {
    const own = taken.get(page);
    return own === undefined ? [] : [layOut(page, own, reasonOf(page, terms))];
  });
  return { markdown: laidOut.map(({ text }) => text).join("\n\n"), items: laidOut.map(({ item }) => item) };
}

/** A page's head and its passages in the order of the text. */
function layOut(
  { candidate: { source, node, via }, markdown }: PageText,
  { head, places }: TakenPage,
  why: ContextPage["why"],
): { text: string; item: ContextPage } {
  const sliceAt = codePointSlices(markdown);
  const passages = places.map(({ offset, chars }) => ({ offset, chars })).sort((a, b) => a.offset - b.offset);
  const parts = passages.map(({ offset, chars }) => sliceAt(offset, chars));
  return {
    text: [head, ...parts].join("\n\n"),
    item: { source, node, why, via: why === "linked" ? via : null, passages },
  };
}

/** A page whose title has half of the question is there for its title, one that links raised more than its text for those. */
function reasonOf(
  { candidate: { isAsked, text, link }, title }: PageText,
  terms: readonly WeightedTerm[],
): ContextPage["why"] {
  if (isAsked) return "asked";
  if (link > text) return "linked";
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const inTitle = terms.reduce((sum, { term, weight }) => sum + (title.includes(term) ? weight : 0), 0);
  return inTitle > 0 && inTitle >= all / 2 ? "title" : "text";
}

const length = (text: string) => [...text].length;

/** Title, place, URL and reason of a page. */
function headOf(sources: readonly Source[], { candidate }: PageText, why: ContextPage["why"]): string {
  const { graph } = sources[candidate.source] as Source;
  const node = graph.nodeAt(candidate.node);
  const place = graph
    .breadcrumb(node.id)
    .slice(-nearestAncestors)
    .map(({ title }) => oneLine(title));
  const link = presentLink(node.url);
  const url = link === null || link.length > longestUrl ? null : link;
  const reasons = {
    asked: "the page that was asked about",
    text: "its text matches",
    title: "its title matches",
    linked: `linked with ${candidate.via === null ? "a page that matches" : titleAt(graph, candidate.via)}`,
  };
  return [
    `# ${titleAt(graph, candidate.node)}`,
    ...(place.length === 0 ? [] : [`Place: ${place.join(" › ")}`]),
    ...(url === null ? [] : [`URL: ${url}`]),
    `Why: ${reasons[why]}`,
  ].join("\n");
}

const titleAt = (graph: Graph, node: number) => oneLine(graph.nodeAt(node).title) || "Untitled";

/** The first characters of a title, on one line. */
const oneLine = (text: string) => [...text.replaceAll(/\s+/g, " ")].slice(0, longestTitle).join("");
