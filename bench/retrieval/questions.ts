import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { countTokens } from "../../packages/server/src/model/tokens.ts";

export interface Question {
  readonly id: string;
  /** The question in the words of each asker. */
  readonly wordings: readonly string[];
  /** Words of the passages that answer it, each outside code and once on its page. */
  readonly markers: readonly string[];
  /** Ids of the pages that it takes to answer. */
  readonly pages: readonly string[];
}

/** The text that was gathered for a question, and the ids of its pages, best first. */
export interface Gathered {
  readonly text: string;
  readonly pages: readonly string[];
}

/** Gathers text for the question in the words of an asker, up to a number of tokens. */
export type Gather = (wording: string, maxTokens: number) => Promise<Gathered>;

/** The sender of a question: a program as a person wrote it, or an agent that has read how `build_context` describes itself. */
export const askers = ["as it was asked", "as an agent hands it over", "as another agent hands it over"];

/** Tokens that are gathered, and characters to a token: an estimate for English prose. */
export const budgets = [1_000, 2_000, 4_000, 8_000];
export const charsPerToken = 4;

interface WrittenQuestion {
  readonly id: string;
  readonly question: string;
  /** The question as agents hand it over. */
  readonly calls?: readonly string[];
  readonly marker: string | readonly string[];
}

/** Reads questions that markers answer (README.md). */
export async function readQuestions(file: string): Promise<readonly Question[]> {
  const path = join(import.meta.dirname, file);
  const questions: readonly WrittenQuestion[] = JSON.parse(await readFile(path, "utf8"));
  return questions.map(({ id, question, calls = [], marker }) => ({
    id,
    wordings: [question, ...calls],
    markers: [marker].flat(),
    pages: [],
  }));
}

/** True if a text has the words of every passage that answers the question. */
export function isAnswered(text: string, { markers }: Question): boolean {
  const read = plain(text);
  return markers.every((marker) => read.includes(plain(marker)));
}

/** Without Markdown signs, without case, and with each run of whitespace as one space. */
const plain = (text: string) =>
  text
    .replaceAll(/[*_`~#>|\\]/g, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");

/** Averages and counts of the texts that were gathered for some questions. */
export interface Figures {
  /** The number of questions whose markers or pages are all there. */
  readonly answered: number;
  /** The share of the needed pages that are there, on average. */
  readonly recall: number;
  /** Tokens of a text, on average. */
  readonly tokens: number;
  /** Milliseconds of wall time for a text, on average. */
  readonly ms: number;
}

/** Gathers a text for each question in the words of one asker. Pages count if they are among the first `firstPages`. */
export async function measure(
  questions: readonly Question[],
  gather: Gather,
  { asker = 0, tokens, firstPages }: { asker?: number; tokens: number; firstPages: number },
): Promise<Figures> {
  let [answered, recall, gatheredTokens, ms] = [0, 0, 0, 0];
  for (const question of questions) {
    const start = performance.now();
    const { text, pages } = await gather(question.wordings[asker] ?? "", tokens);
    ms += performance.now() - start;
    const first = new Set(pages.slice(0, firstPages));
    const there = question.pages.filter((page) => first.has(page)).length;
    if (isAnswered(text, question) && there === question.pages.length) answered += 1;
    if (question.pages.length > 0) recall += there / question.pages.length;
    gatheredTokens += countTokens(text);
  }
  const count = questions.length;
  return { answered, recall: recall / count, tokens: gatheredTokens / count, ms: ms / count };
}
