import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A question and words of the passage that answers it (README.md). */
export interface Question {
  readonly id: string;
  readonly question: string;
  readonly marker: string;
}

/** Tokens that a context may have, and characters to a token: an estimate for English prose. */
export const budgets = [1_000, 2_000, 4_000, 8_000];
export const charsPerToken = 4;

export async function readQuestions(set: string): Promise<readonly Question[]> {
  return JSON.parse(await readFile(join(import.meta.dirname, `${set}.json`), "utf8"));
}

export const answers = (gathered: string, { marker }: Question): boolean =>
  plain(gathered).includes(plain(marker));

/** Without Markdown signs, without case, and with each run of whitespace as one space. */
const plain = (text: string) =>
  text
    .replaceAll(/[*_`~#>|\\]/g, "")
    .toLowerCase()
    .replaceAll(/\s+/g, " ");
