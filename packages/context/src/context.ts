import { namesIn } from "@clew/graph";
import { parseQuery } from "@clew/text-index";
import { type Candidate, findCandidates, type NamedNode } from "./candidates.ts";
import { Explainer, type Explanation } from "./explanation.ts";
import { headingsOf, Layout, type Reason, type ShownPage } from "./layout.ts";
import { pack } from "./packing.ts";
import { type MatchedPage, readPages } from "./pages.ts";
import type { ContextPort, PageRef, TextSearch } from "./port.ts";
import { type AskedWords, askedWords, termsOf, weightedTerms } from "./question.ts";
import { PassageScores, type RankedPage, rankPages, type ScoredPassage } from "./scores.ts";
import { unitsOf } from "./units.ts";
import { WordMatcher } from "./word-matching.ts";

/** The subject of a context (GRAPH-22). */
export interface ContextQuestion {
  /** It has a word to look for; null to gather what surrounds `about`. */
  readonly query: string | null;
  /** Words that the answer may have; null if there are none. */
  readonly also: string | null;
  readonly about: PageRef | null;
}

/** The form that a context is wanted in. */
export interface ContextForm {
  readonly maxChars: number;
  /** Whether items say of which parts their ranks and scores are the sums. */
  readonly explain?: boolean;
}

/** A page of a context. */
interface ContextPage extends PageRef {
  readonly why: Reason;
  /** The node that led to it. */
  readonly via: number | null;
  readonly passages: readonly ContextPassage[];
  /** Null unless the request wants it. */
  readonly explanation: Explanation | null;
}

/** A part of a page's text, in code points, and the headings above it. */
interface ContextPassage {
  readonly offset: number;
  readonly chars: number;
  readonly headings: readonly string[];
}

export interface BuiltContext {
  readonly markdown: string;
  readonly items: readonly ContextPage[];
  /** Words of the question that nothing shown has in any form. */
  readonly unanswered: readonly string[];
  /** Pages that were found and had no room. */
  readonly omitted: { readonly count: number; readonly best: readonly PageRef[] };
  /** Whether a limit ended the search. */
  readonly truncated: boolean;
}

/** Pages that are ranked by their texts. */
const foundPages = 200;
const omittedPages = 10;

/** Sections, lists and tables are whole up to this length, or this share of the context. */
const wholeChars = 1_200;
const wholeShare = 0.33;

/** Finds, reads and ranks the passages that answer a question, or that surround a page. */
export async function gatherContext(
  port: ContextPort,
  { query, also, about }: ContextQuestion,
): Promise<GatheredContext> {
  const question = readQuestion(query, also);
  const { found, truncated, ...searched } = await search(port, question);
  const matcher = new WordMatcher(question === null ? [] : weightedTerms(question, searched));
  const named = query === null ? [] : namedNodes(port, query, matcher);
  const candidates = findCandidates(port.graphs, { found, about, named });
  const pages = rankPages(await readPages(port, candidates, matcher), matcher);
  return new GatheredContext({ port, question, matcher, candidates, pages, truncated });
}

interface Gathered {
  readonly port: ContextPort;
  readonly question: AskedWords | null;
  readonly matcher: WordMatcher;
  readonly candidates: readonly Candidate[];
  readonly pages: readonly RankedPage[];
  readonly truncated: boolean;
}

/** Ranked passages, from which contexts of any length are made. */
export class GatheredContext {
  readonly #gathered: Gathered;
  readonly #scores: PassageScores;
  readonly #ranked: readonly ScoredPassage[];
  readonly #layout: Layout;

  constructor(gathered: Gathered) {
    this.#gathered = gathered;
    this.#scores = new PassageScores(gathered.port.graphs, gathered.pages, gathered.matcher);
    this.#ranked = this.#scores.ranked();
    this.#layout = new Layout(gathered.port);
  }

  /** The context with the best of the passages that fit. */
  pack({ maxChars, explain = false }: ContextForm): BuiltContext {
    const { question, matcher, candidates, pages, truncated } = this.#gathered;
    const explainer = explain ? new Explainer(this.#scores, this.#ranked, matcher) : null;
    const units = unitsOf(this.#ranked, Math.min(wholeChars, wholeShare * maxChars));
    const taken = pack(units, maxChars, this.#layout, (page) => reasonOf(page, matcher)).sort(
      (a, b) => pages.indexOf(a.page) - pages.indexOf(b.page),
    );
    const included = new Set(taken.map(({ page }) => page.candidate));
    const omitted = candidates.filter((each) => !included.has(each) && (question === null || each.text > 0));
    return {
      markdown: taken.map((shown) => this.#layout.pageOf(shown)).join("\n\n"),
      items: taken.map((shown) => itemOf(shown, explainer)),
      unanswered: unansweredWords(question, matcher, taken),
      omitted: {
        count: omitted.length,
        best: omitted.slice(0, omittedPages).map(({ source, node }) => ({ source, node })),
      },
      truncated,
    };
  }
}

function readQuestion(query: string | null, also: string | null): AskedWords | null {
  const parsed = query === null ? null : parseQuery(query);
  return parsed && askedWords(parsed, also === null ? null : parseQuery(also));
}

async function search(port: ContextPort, question: AskedWords | null): Promise<TextSearch> {
  if (question === null) return { found: [], weights: [], ignored: [], truncated: false };
  return port.search(question.query, foundPages);
}

/** The words of the question that neither titles nor headings nor passages have in any form. */
function unansweredWords(
  question: AskedWords | null,
  matcher: WordMatcher,
  pages: readonly ShownPage[],
): string[] {
  if (question === null) return [];
  const shown = pages.flatMap(({ page, shown: positions }) => [
    page.titleMatches,
    ...[...positions].flatMap((position) => {
      const passage = page.passages[position];
      return passage === undefined ? [] : [passage.matches, passage.section.headingMatches];
    }),
  ]);
  const all = shown.reduce((one, other) => matcher.union(one, other), matcher.nothing);
  const missing = new Set(matcher.missing(all));
  return question.query.words
    .slice(0, question.asked)
    .filter((word) => termsOf(word).some((term) => missing.has(term)))
    .map(({ text }) => text);
}

/** The pages whose titles or aliases the question contains. */
function namedNodes({ graphs }: ContextPort, query: string, matcher: WordMatcher): NamedNode[] {
  return graphs.flatMap((graph, source) =>
    namesIn(graph, query).flatMap(({ name, nodes }) => {
      const share = matcher.coverage(matcher.match(name));
      return share < leastShare ? [] : nodes.map((node) => ({ source, node, share }));
    }),
  );
}

const leastShare = 0.1;

/** A page whose title has half of the question is there for its title, one that links raised more than its text for those. */
function reasonOf(
  { candidate: { isAsked, named, text, link }, titleMatches }: MatchedPage,
  matcher: WordMatcher,
): Reason {
  if (isAsked) return "asked";
  if (named > 0) return "title";
  if (link > text) return "linked";
  return matcher.coverage(titleMatches) >= 0.5 ? "title" : "text";
}

function itemOf({ page, why, shown, cut }: ShownPage, explainer: Explainer | null): ContextPage {
  const { source, node, via } = page.candidate;
  const runs = runsOf(page, shown, cut);
  const passages = runs.map(({ positions: _, ...passage }) => passage);
  const positions = runs.map((run) => run.positions);
  const explanation = explainer === null ? null : explainer.explain(page, positions);
  return { source, node, why, via: why === "linked" ? via : null, passages, explanation };
}

/** The parts of a text that are shown, adjacent blocks of a section as one, with the positions of their passages. */
function runsOf({ passages }: MatchedPage, shown: ReadonlySet<number>, cut: ShownPage["cut"]) {
  const runs: { offset: number; chars: number; headings: readonly string[]; positions: number[] }[] = [];
  for (const [position, { block, section }] of passages.entries()) {
    if (!shown.has(position)) continue;
    const before = passages[position - 1];
    const last = runs.at(-1);
    const { offset } = block;
    const chars = cut?.position === position ? Math.min(block.chars, cut.at) : block.chars;
    if (last !== undefined && shown.has(position - 1) && before?.section === section) {
      last.chars = offset + chars - last.offset;
      last.positions.push(position);
    } else {
      runs.push({ offset, chars, headings: headingsOf(section), positions: [position] });
    }
  }
  return runs;
}
