import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A question and words of the passage that answers it (README.md). */
interface AnsweredQuestion {
  readonly id: string;
  readonly question: string;
  readonly marker: string;
}

export interface Question extends AnsweredQuestion {
  /** The question in the words of each asker. */
  readonly wordings: readonly string[];
}

/** The sender of a question: a program as a person wrote it, or an agent that has read how `build_context` describes itself. */
export const askers = ["as it was asked", "as an agent hands it over", "as another agent hands it over"];

/** Tokens that a context may have, and characters to a token: an estimate for English prose. */
export const budgets = [1_000, 2_000, 4_000, 8_000];
export const charsPerToken = 4;

export async function readQuestions(set: string): Promise<readonly Question[]> {
  const questions: readonly AnsweredQuestion[] = await readJson(set);
  const calls: Readonly<Record<string, readonly string[]>> = await readJson("calls");
  return questions.map((each) => {
    const wordings = [each.question, ...(calls[each.id] ?? [])];
    if (wordings.length !== askers.length)
      throw new Error(`calls.json does not have all calls for ${each.id}`);
    return { ...each, wordings };
  });
}

const readJson = async (name: string) =>
  JSON.parse(await readFile(join(import.meta.dirname, `${name}.json`), "utf8"));

/** For each budget, how many questions the text that is gathered for them answers. */
export async function recallsOf(
  questions: readonly Question[],
  gather: (question: Question, maxTokens: number) => Promise<string>,
): Promise<readonly number[]> {
  const recalls: number[] = [];
  for (const tokens of budgets) {
    let found = 0;
    for (const question of questions) if (answers(await gather(question, tokens), question)) found += 1;
    recalls.push(found);
  }
  return recalls;
}

const answers = (gathered: string, { marker }: AnsweredQuestion): boolean =>
  plain(gathered).includes(plain(marker));

/** Without Markdown signs, without case, and with each run of whitespace as one space. */
const plain = (text: string) =>
  text
    .replaceAll(/[*_`~#>|\\]/g, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");
