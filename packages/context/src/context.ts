import { parseQuery, type TextQuery } from "@clew/text-index";
import { type Candidate, findCandidates } from "./candidates.ts";
import { Layout, type Reason } from "./layout.ts";
import { pack, type TakenPage } from "./packing.ts";
import { type MatchedPage, readPages } from "./passages.ts";
import type { ContextPort, PageRef, TextSearch } from "./port.ts";
import { questionWords, weightedTerms } from "./question.ts";
import { rankPages, rankPassages } from "./scores.ts";
import { WordMatcher } from "./word-matching.ts";

/** A request for a context (GRAPH-22). */
export interface ContextRequest {
  /** It has a word to look for; null to gather what surrounds `about`. */
  readonly query: string | null;
  readonly about: PageRef | null;
  readonly maxChars: number;
}

/** A page of a context. */
interface ContextPage extends PageRef {
  readonly why: Reason;
  /** The node that led to it. */
  readonly via: number | null;
  readonly passages: readonly { readonly offset: number; readonly chars: number }[];
}

export interface BuiltContext {
  readonly markdown: string;
  readonly items: readonly ContextPage[];
  /** Pages that were found and had no room. */
  readonly omitted: { readonly count: number; readonly best: readonly PageRef[] };
  /** Whether a limit ended the search. */
  readonly truncated: boolean;
}

/** Pages that are ranked by their texts. */
const foundPages = 200;
const omittedPages = 10;

/** Gathers the passages that answer a question, or that surround a page. */
export async function buildContext(
  port: ContextPort,
  { query, about, maxChars }: ContextRequest,
): Promise<BuiltContext> {
  const parsed = query === null ? null : parseQuery(query);
  const question = parsed === null ? null : questionWords(parsed);
  const { found, weights, truncated } = await search(port, question);
  const candidates = findCandidates(port.graphs, found, about);
  const matcher = new WordMatcher(question === null ? [] : weightedTerms(question, weights));
  const pages = rankPages(await readPages(port, candidates, matcher), matcher);
  const passages = rankPassages(port.graphs, pages, matcher);
  const layout = new Layout(port);
  const headOf = (page: MatchedPage) => layout.headOf(page.candidate, reasonOf(page, matcher));
  const taken = pack(passages, maxChars, layout, headOf).sort(
    (a, b) => pages.indexOf(a.page) - pages.indexOf(b.page),
  );
  const included = new Set(taken.map(({ page }) => page.candidate));
  const omitted = candidates.filter((each) => !included.has(each) && (question === null || each.text > 0));
  return {
    markdown: taken.map(({ head, passages }) => layout.pageOf(head, passages)).join("\n\n"),
    items: taken.map((each) => itemOf(each, reasonOf(each.page, matcher))),
    omitted: {
      count: omitted.length,
      best: omitted.slice(0, omittedPages).map(({ source, node }) => ({ source, node })),
    },
    truncated,
  };
}

async function search(port: ContextPort, question: TextQuery | null): Promise<TextSearch> {
  if (question === null) return { found: [], weights: [], truncated: false };
  return port.search(question, foundPages);
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

function itemOf({ page, passages }: TakenPage, why: Reason): ContextPage {
  const { source, node, via }: Candidate = page.candidate;
  const places = passages.map(({ offset, chars }) => ({ offset, chars }));
  return { source, node, why, via: why === "linked" ? via : null, passages: places };
}
