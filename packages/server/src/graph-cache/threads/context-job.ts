import type { Context } from "@clew/contract";
import type { Graph } from "@clew/graph";
import { parseQuery, type TextQuery, termsOf } from "@clew/text-index";
import { presentLink } from "../../present/values.ts";
import { readSearchedPage } from "../../store/queries/page-texts.ts";
import type { JobServices, Source } from "./job.ts";
import { linkedWith } from "./link-weights.ts";
import {
  createRepetitionTest,
  type Excerpt,
  excerptsOf,
  scoreExcerpt,
  type WeightedTerm,
} from "./passage-ranking.ts";
import { questionWords } from "./question-words.ts";
import { findTexts } from "./text-job.ts";

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

/** Pages that are ranked by their texts, and among those that links lead to. */
const foundPages = 60;
/** Pages from whose links others are reached. */
const seedPages = 12;
/** Pages whose texts are read. */
const readPages = 40;
/** What a link adds to the relevance of the page that it leads to, at most. */
const linkShare = 0.6;
/** How much faster than the relevance the rank of a page falls. */
const pagePower = 4;
/** What the opening of a page has without any word of the question. */
const openingScore = 0.01;
const omittedPages = 10;
/** Bounds of the head of a page, which is shorter than the smallest context. */
const longestTitle = 100;
const nearestAncestors = 4;
const longestUrl = 200;

interface Candidate {
  readonly source: number;
  readonly node: number;
  /** Relevance of its text, and what links add. */
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
  let truncated = false;
  const search = async (accepts?: (source: number, node: number) => boolean) => {
    if (question === null) return [];
    const wanted = { query: question, sort: "relevance", order: "desc", limit: foundPages } as const;
    const within = sources.map((_, source) => ({
      filter: {},
      after: null,
      accepts: accepts && ((node: number) => accepts(source, node)),
    }));
    const result = await findTexts(services, sources, { ...wanted, within });
    truncated ||= result.truncated;
    weights = result.weights;
    for (const { source, page } of result.found) {
      const candidate = candidates.of(source, page.node);
      candidate.text = Math.max(candidate.text, page.relevance);
    }
    return result.found;
  };
  let weights: readonly number[] = [];
  const found = await search();
  if (asked !== null) asked.text = Math.max(1, asked.text);
  const seeds = [
    ...(about === null ? [] : [{ ...about, relevance: found[0]?.page.relevance ?? 1 }]),
    ...found
      .slice(0, seedPages)
      .map(({ source, page }) => ({ source, node: page.node, relevance: page.relevance })),
  ];
  for (const { source, node, relevance } of seeds) {
    const { graph } = sources[source] as Source;
    for (const [other, weight] of linkedWith(graph, node)) {
      const candidate = candidates.of(source, other);
      if (relevance * weight <= candidate.link) continue;
      candidate.link = relevance * weight;
      candidate.via = node;
    }
  }
  // Pages that links lead to may match as well, only less.
  const wasFound = new Set(found.map(({ source, page }) => candidates.of(source, page.node)));
  await search((source, node) => candidates.has(source, node));
  const terms = question === null ? [] : weighted(question, weights);
  const ranked = candidates.ranked();
  const pages = await readTexts(services, sources, ranked.slice(0, readPages), terms);
  const packed = pack(sources, pages, { maxChars, wasFound, terms });
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

const rankOf = ({ text, link }: Candidate) => text + linkShare * link;

/** The words of a question with their weights; a phrase counts by its words. */
function weighted(question: TextQuery, weights: readonly number[]): WeightedTerm[] {
  return question.words.flatMap(({ terms }, index) =>
    terms.map((term) => ({ term, weight: weights[index] ?? 0 })),
  );
}

interface PageText {
  readonly candidate: Candidate;
  readonly markdown: string;
  readonly title: ReadonlySet<string>;
  readonly excerpts: readonly { readonly excerpt: Excerpt; readonly score: number }[];
}

async function readTexts(
  { db }: JobServices,
  sources: readonly Source[],
  candidates: readonly Candidate[],
  question: readonly WeightedTerm[],
): Promise<PageText[]> {
  const best = Math.max(...candidates.map(rankOf), Number.MIN_VALUE);
  const pages: PageText[] = [];
  for (const candidate of candidates) {
    const { graph, connectionId } = sources[candidate.source] as Source;
    const stored = await readSearchedPage(db, connectionId, graph.nodeAt(candidate.node).id);
    if (stored === null) continue;
    const title = new Set(termsOf([stored.title, ...stored.aliases].join(" ")));
    const share = (rankOf(candidate) / best) ** pagePower;
    const excerpts = excerptsOf(stored.markdown).map((excerpt, index) => {
      // Where no word says more, openings do.
      const opening = openingScore / (1 + index);
      return { excerpt, score: share * (scoreExcerpt(question, excerpt, title) + opening) };
    });
    pages.push({ candidate, markdown: stored.markdown, title, excerpts });
  }
  return pages;
}

interface PackOptions {
  readonly maxChars: number;
  /** The pages that the question found, as opposed to the links of those. */
  readonly wasFound: ReadonlySet<Candidate>;
  readonly terms: readonly WeightedTerm[];
}

/** Takes the best excerpts as long as there is room, each page with its head, and lays them out in the order of texts. */
function pack(
  sources: readonly Source[],
  pages: readonly PageText[],
  { maxChars, wasFound, terms }: PackOptions,
): Pick<ContextJobResult, "markdown" | "items"> {
  const isRepeated = createRepetitionTest();
  const all = pages
    .flatMap((page, rank) => page.excerpts.map((each) => ({ ...each, page, rank })))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score || a.rank - b.rank || a.excerpt.offset - b.excerpt.offset);
  const taken = new Map<PageText, { head: string; excerpts: Excerpt[]; chars: number }>();
  const whyOf = (page: PageText) => reasonOf(page, wasFound, terms);
  let room = maxChars;
  const take = (page: PageText, excerpt: Excerpt, most: number): boolean => {
    const own = taken.get(page) ?? { head: headOf(sources, page, whyOf(page)), excerpts: [], chars: 0 };
    const cost = excerpt.chars + 2 + (own.chars === 0 ? length(own.head) + 2 : 0);
    if (cost > room || own.chars + cost > most || isRepeated(excerpt.terms)) return false;
    room -= cost;
    taken.set(page, { ...own, excerpts: [...own.excerpts, excerpt], chars: own.chars + cost });
    return true;
  };
  const left = all.filter(({ page, excerpt }) => !take(page, excerpt, maxChars / 2));
  // Where nothing else waits, one page may fill the rest.
  if (taken.size === pages.length) for (const { page, excerpt } of left) take(page, excerpt, maxChars);
  const [first] = all;
  if (taken.size === 0 && first !== undefined) {
    const head = headOf(sources, first.page, whyOf(first.page));
    const chars = Math.max(0, Math.min(first.excerpt.chars, room - length(head) - 2));
    taken.set(first.page, { head, excerpts: [{ ...first.excerpt, chars }], chars });
  }
  const laidOut = pages.flatMap((page) => {
    const own = taken.get(page);
    return own === undefined ? [] : [layOut(page, own, whyOf(page))];
  });
  return { markdown: laidOut.map(({ text }) => text).join("\n\n"), items: laidOut.map(({ item }) => item) };
}

/** A page's head and its excerpts in the order of the text; neighbouring ones are one passage. */
function layOut(
  { candidate: { source, node, via }, markdown }: PageText,
  { head, excerpts }: { readonly head: string; readonly excerpts: readonly Excerpt[] },
  why: ContextPage["why"],
): { text: string; item: ContextPage } {
  const characters = [...markdown];
  const sorted = excerpts.toSorted((a, b) => a.offset - b.offset);
  const passages = sorted.map(({ offset, chars }) => ({ offset, chars }));
  const parts = passages.map(({ offset, chars }) => characters.slice(offset, offset + chars).join(""));
  return {
    text: [head, ...parts].join("\n\n"),
    item: { source, node, why, via: why === "linked" ? via : null, passages },
  };
}

/** A page whose title has half of the question is there for its title. */
function reasonOf(
  { candidate, title }: PageText,
  wasFound: ReadonlySet<Candidate>,
  terms: readonly WeightedTerm[],
): ContextPage["why"] {
  if (candidate.isAsked) return "asked";
  if (!wasFound.has(candidate)) return "linked";
  const all = terms.reduce((sum, { weight }) => sum + weight, 0);
  const inTitle = terms.reduce((sum, { term, weight }) => sum + (title.has(term) ? weight : 0), 0);
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
