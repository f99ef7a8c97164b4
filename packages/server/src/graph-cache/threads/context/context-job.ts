import { parseQuery, type TextQuery } from "@clew/text-index";
import { leftOut } from "../../../model/visible-text.ts";
import type { JobServices, Source } from "../job.ts";
import { findTexts } from "../text-job.ts";
import { type Candidate, findCandidates } from "./candidates.ts";
import { headOf, type Reason } from "./layout.ts";
import { type MatchedPage, readPages } from "./matched-pages.ts";
import { hiddenIn, pack, type TakenPage } from "./pack.ts";
import { rankPages } from "./page-ranks.ts";
import { rankPassages } from "./passage-scores.ts";
import { questionWords, weightedTerms } from "./question-words.ts";
import { type ContextWeights, standardWeights } from "./weights.ts";
import { WordMatcher } from "./word-matching.ts";

/** What to gather (GRAPH-22). */
export interface ContextJobInput {
  /** It has a word to look for; null to gather what surrounds `about`. */
  readonly query: string | null;
  /** A node of one of the sources. */
  readonly about: { readonly source: number; readonly node: number } | null;
  readonly maxChars: number;
  /** The standard ones if not given. */
  readonly weights?: ContextWeights;
}

/** A page of the context. */
interface ContextPage {
  readonly source: number;
  readonly node: number;
  readonly why: Reason;
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
const omittedPages = 10;

/** Gathers the passages that answer a question, or that surround a page. */
export async function contextJob(
  services: JobServices,
  sources: readonly Source[],
  { query, about, maxChars, weights = standardWeights }: ContextJobInput,
): Promise<ContextJobResult> {
  const parsed = query === null ? null : parseQuery(query);
  const question = parsed === null ? null : questionWords(parsed, weights.keepsConversation);
  const { found, rarities, truncated } = await search(services, sources, question);
  const candidates = findCandidates(sources, found, about, weights.links);
  const terms = question === null ? [] : weightedTerms(question, rarities);
  const matcher = new WordMatcher(terms, weights.related);
  const read = await readPages(services, sources, candidates, matcher, weights.skipsCopies);
  const pages = rankPages(read, matcher, weights.wholePage);
  const passages = rankPassages(sources, pages, matcher, weights);
  const head = (page: MatchedPage) => headOf(sources, page.candidate, reasonOf(page, matcher));
  const taken = pack(passages, maxChars, head);
  const laidOut = taken.sort((a, b) => pages.indexOf(a.page) - pages.indexOf(b.page));
  const included = new Set(taken.map(({ page }) => page.candidate));
  const omitted = candidates.filter((each) => !included.has(each) && (question === null || each.text > 0));
  return {
    markdown: laidOut.map(markdownOf).join("\n\n"),
    items: laidOut.map((each) => itemOf(each, reasonOf(each.page, matcher))),
    omitted: {
      count: omitted.length,
      best: omitted.slice(0, omittedPages).map(({ source, node }) => ({ source, node })),
    },
    truncated,
  };
}

async function search(services: JobServices, sources: readonly Source[], query: TextQuery | null) {
  if (query === null) return { found: [], rarities: [], truncated: false };
  const within = sources.map(() => ({ filter: {}, after: null }));
  const { found, weights, truncated } = await findTexts(services, sources, {
    query,
    sort: "relevance",
    order: "desc",
    limit: foundPages,
    within,
  });
  return {
    found: found.map(({ source, page: { node, relevance } }) => ({ source, node, relevance })),
    rarities: weights,
    truncated,
  };
}

/** A page whose title has half of the question is there for its title, one that links raised more than its text for those. */
function reasonOf(
  { candidate: { isAsked, text, link }, titleMatches }: MatchedPage,
  matcher: WordMatcher,
): Reason {
  if (isAsked) return "asked";
  if (link > text) return "linked";
  return matcher.coverage(titleMatches) >= 0.5 ? "title" : "text";
}

function markdownOf({ head, passages }: TakenPage): string {
  const hidden = hiddenIn(passages);
  const note = hidden === 0 ? [] : [leftOut(hidden)];
  return [head, ...passages.map(({ shown }) => shown), ...note].join("\n\n");
}

function itemOf({ page, passages }: TakenPage, why: Reason): ContextPage {
  const { source, node, via }: Candidate = page.candidate;
  const places = passages.map(({ offset, chars }) => ({ offset, chars }));
  return { source, node, why, via: why === "linked" ? via : null, passages: places };
}
