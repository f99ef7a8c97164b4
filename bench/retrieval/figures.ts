import { countTokens } from "../../packages/server/src/model/tokens.ts";
import { askers, type Gather, isAnswered, type Question } from "./questions.ts";
import type { QuestionSet } from "./sets.ts";

/** Tokens for a question that markers answer, and for one about pages: 8 000 characters. */
const budgets = [1_000, 2_000, 4_000, 8_000];
const pageBudgets = [2_000];

/** The number of texts for a question that answer it, over all askers and sizes, by its id. */
export type Answered = ReadonlyMap<string, number>;

/** Measures one way of gathering texts on a set, and prints a line for each asker. */
export async function printFigures(
  set: QuestionSet,
  questions: readonly Question[],
  way: string,
  gather: Gather,
): Promise<Answered> {
  const answered = new Map<string, number>();
  const isAboutPages = set.firstPages !== null;
  const wordings = Math.max(...questions.map((each) => each.wordings.length));
  for (const [asker, asked] of askers.slice(0, wordings).entries()) {
    const figures: Figures[] = [];
    for (const tokens of isAboutPages ? pageBudgets : budgets)
      figures.push(await measure(questions, gather, { asker, tokens, firstPages: set.firstPages ?? 0 }));
    for (const id of figures.flatMap(({ ids }) => ids)) answered.set(id, (answered.get(id) ?? 0) + 1);
    const list = (figureOf: (figures: Figures) => number) =>
      figures.map((each) => figureOf(each).toFixed(0)).join(", ");
    const recall = figures.map((each) => ` · recall@${set.firstPages} ${(100 * each.recall).toFixed(1)} %`);
    console.log(
      `${set.name}, ${way}, ${asked}: ${list(({ ids }) => ids.length)} of ${questions.length}${isAboutPages ? recall : ""} · ` +
        `${list(({ tokens }) => tokens)} tokens · ${list(({ ms }) => ms)} ms`,
    );
  }
  return answered;
}

/** Averages and counts of the texts that were gathered for some questions. */
interface Figures {
  /** The questions whose markers or pages are all there, by their ids. */
  readonly ids: readonly string[];
  /** The share of the needed pages that are there, on average. */
  readonly recall: number;
  /** Tokens of a text, on average. */
  readonly tokens: number;
  /** Milliseconds of wall time for a text, on average. */
  readonly ms: number;
}

/** Gathers a text for each question in the words of one asker. Pages count if they are among the first `firstPages`. */
async function measure(
  questions: readonly Question[],
  gather: Gather,
  { asker = 0, tokens, firstPages }: { asker?: number; tokens: number; firstPages: number },
): Promise<Figures> {
  let [recall, gatheredTokens, ms] = [0, 0, 0];
  const ids: string[] = [];
  for (const question of questions) {
    const start = performance.now();
    const { text, pages } = await gather(question.wordings[asker] ?? "", tokens);
    ms += performance.now() - start;
    const first = new Set(pages.slice(0, firstPages));
    const there = question.pages.filter((page) => first.has(page)).length;
    if (isAnswered(text, question) && there === question.pages.length) ids.push(question.id);
    if (question.pages.length > 0) recall += there / question.pages.length;
    gatheredTokens += countTokens(text);
  }
  const count = questions.length;
  return {
    ids,
    recall: recall / count,
    tokens: gatheredTokens / count,
    ms: ms / count,
  };
}
