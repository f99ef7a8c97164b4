import { askers, budgets, type Figures, type Gather, measure, type Question } from "./questions.ts";
import type { QuestionSet } from "./sets.ts";

/** Tokens for a question about pages: 8 000 characters. */
const pageTokens = 2_000;

/** Measures one way of gathering texts on a set, and prints a line for each asker. */
export async function printFigures(
  set: QuestionSet,
  questions: readonly Question[],
  way: string,
  gather: Gather,
): Promise<void> {
  const isAboutPages = set.firstPages !== null;
  const wordings = Math.max(...questions.map((each) => each.wordings.length));
  for (const [asker, asked] of askers.slice(0, wordings).entries()) {
    const figures: Figures[] = [];
    for (const tokens of isAboutPages ? [pageTokens] : budgets)
      figures.push(await measure(questions, gather, { asker, tokens, firstPages: set.firstPages ?? 0 }));
    const list = (name: "answered" | "tokens" | "ms") =>
      figures.map((each) => each[name].toFixed(0)).join(", ");
    const recall = figures.map((each) => ` · recall@${set.firstPages} ${(100 * each.recall).toFixed(1)} %`);
    console.log(
      `${set.name}, ${way}, ${asked}: ${list("answered")} of ${questions.length}${isAboutPages ? recall : ""} · ` +
        `${list("tokens")} tokens · ${list("ms")} ms`,
    );
  }
}
