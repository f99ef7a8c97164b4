import { readFile } from "node:fs/promises";
import { join } from "node:path";

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

/** Characters to a token: an estimate for English prose. */
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
