import { countTokens } from "../../packages/server/src/model/tokens.ts";
import { Bm25, type ScoredChunk, withLinks, wordsOf } from "./bm25.ts";
import type { CorpusPage } from "./pages.ts";
import type { Gather, Gathered } from "./questions.ts";

/** The ways of search that contexts are measured beside, over the same pages, texts and links. */
export function otherWays(pages: readonly CorpusPage[]): Readonly<Record<string, Gather>> {
  const index = new Bm25(pages);
  return {
    "BM25 over sections": async (wording, tokens) => wholeChunks(pages, index.search(wording), tokens),
    "BM25 over sections and links": async (wording, tokens) =>
      wholeChunks(pages, withLinks(index.search(wording), pages), tokens),
    "grep and read": async (wording, tokens) => grepAndRead(pages, wording, tokens),
    "titles and read": async (wording, tokens) => titlesAndRead(pages, wording, tokens),
  };
}

/** The best chunks that fit, each whole. */
function wholeChunks(
  pages: readonly CorpusPage[],
  found: readonly ScoredChunk[],
  maxTokens: number,
): Gathered {
  const taken: ScoredChunk["chunk"][] = [];
  let left = maxTokens;
  for (const { chunk } of found) {
    // No chunk is shorter than its title.
    if (left < leastTokens) break;
    const tokens = countTokens(`${chunk.text}\n\n`);
    if (tokens > left) continue;
    left -= tokens;
    taken.push(chunk);
  }
  const ids = taken.flatMap(({ page }) => pages[page]?.id ?? []);
  return { text: taken.map(({ text }) => text).join("\n\n"), pages: [...new Set(ids)] };
}

const leastTokens = 10;

/** Words that nobody looks for. */
const dull = new Set(
  "about after also and are because been but can cannot could did does for from had has have how into its may not one only other our out shall should since that the their them then there these they this those was were what when where which while who whom whose why will with would you your".split(
    " ",
  ),
);

const wantedWords = (wording: string): readonly string[] => [
  ...new Set(wordsOf(wording).filter((word) => word.length > 2 && !dull.has(word))),
];

/** The calls of an agent after the search itself, and the lines that it reads before and after a hit. */
const reads = 7;
const linesAround = 30;

/** A coding agent: a search for all words at once, then the surroundings of the line with the most words in each of the best pages. */
function grepAndRead(pages: readonly CorpusPage[], wording: string, maxTokens: number): Gathered {
  const words = wantedWords(wording);
  const hits = pages
    .map((page) => ({ page, ...bestLine(page.lines, words) }))
    .filter(({ different }) => different > 0)
    .sort((a, b) => b.different - a.different || b.matching - a.matching);
  const texts = hits.map(({ page, line }) => ({
    page,
    text: page.lines.slice(Math.max(0, line - linesAround), line + linesAround + 1).join("\n"),
  }));
  return readInTurn(texts, maxTokens);
}

/** The first line with the most different words, and the number of lines that have any. */
function bestLine(lines: readonly string[], words: readonly string[]) {
  const counts = lines.map((line) => countIn(line, words));
  const different = Math.max(0, ...counts);
  return { different, line: counts.indexOf(different), matching: counts.filter((count) => count > 0).length };
}

const countIn = (text: string, words: readonly string[]): number => {
  const lower = text.toLowerCase();
  return words.filter((word) => lower.includes(word)).length;
};

/** A search that knows titles alone, then the whole pages. */
function titlesAndRead(pages: readonly CorpusPage[], wording: string, maxTokens: number): Gathered {
  const words = wantedWords(wording);
  const hits = pages
    .map((page) => ({ page, text: page.lines.join("\n"), different: countIn(page.title, words) }))
    .filter(({ different }) => different > 0)
    .sort((a, b) => b.different - a.different);
  return readInTurn(hits, maxTokens);
}

/** The first texts, one after the other; the last one is cut. */
function readInTurn(
  found: readonly { readonly page: CorpusPage; readonly text: string }[],
  maxTokens: number,
): Gathered {
  const read: string[] = [];
  let gathered = "";
  for (const { page, text } of found.slice(0, reads)) {
    read.push(page.id);
    gathered += `${page.title}\n${text}\n\n`;
    if (countTokens(gathered) > maxTokens) break;
  }
  return { text: cutTo(gathered, maxTokens), pages: read };
}

/** The longest beginning of a text that has this many tokens. */
function cutTo(text: string, maxTokens: number): string {
  let [fits, tooLong] = [0, text.length + 1];
  while (tooLong - fits > 1) {
    const middle = Math.floor((fits + tooLong) / 2);
    if (countTokens(text.slice(0, middle)) <= maxTokens) fits = middle;
    else tooLong = middle;
  }
  return text.slice(0, fits);
}
