import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Passage, pageId } from "./passages.ts";
import type { Question } from "./questions.ts";

/** A public set of questions that take several passages (README.md). */
export interface MultihopSet {
  readonly passages: readonly Passage[];
  readonly questions: readonly Question[];
}

/** The sets in the folder MULTIHOP, by the beginning of their file names. */
export const multihopSets: Readonly<Record<string, (folder: string) => Promise<MultihopSet>>> = {
  "2wiki": read2Wiki,
  hotpotqa: readHotpotQa,
  musique: readMusique,
};

async function read2Wiki(folder: string): Promise<MultihopSet> {
  const passages: Passage[] = await readJson(folder, "2wiki_corpus");
  const asked: { question: string; ground_truth: string[] }[] = await readJson(folder, "2wiki_q");
  const titles = passages.map(({ title }) => title);
  return { passages, questions: asked.map((each) => questionOf(each, titles, each.ground_truth)) };
}

async function readHotpotQa(folder: string): Promise<MultihopSet> {
  const corpus: Record<string, string[]> = await readJson(folder, "hotpotqa_corpus");
  const asked: { question: string; supporting_facts: [title: string, sentence: number][] }[] = await readJson(
    folder,
    "hotpotqa_q",
  );
  const passages = Object.entries(corpus).map(([title, sentences]) => ({ title, text: sentences.join("") }));
  const titles = passages.map(({ title }) => title);
  return {
    passages,
    questions: asked.map((each) =>
      questionOf(
        each,
        titles,
        each.supporting_facts.map(([title]) => title),
      ),
    ),
  };
}

interface MusiqueParagraph {
  readonly title: string;
  readonly paragraph_text: string;
  readonly is_supporting: boolean;
}

/** Titles are not unique here: a passage is known by its title and its text. */
async function readMusique(folder: string): Promise<MultihopSet> {
  const passages: Passage[] = await readJson(folder, "musique_corpus");
  const asked: { question: string; paragraphs: MusiqueParagraph[] }[] = await readJson(folder, "musique_q");
  const keys = passages.map(({ title, text }) => `${title}\n${text}`);
  return {
    passages,
    questions: asked.map((each) => {
      const needed = each.paragraphs.filter((paragraph) => paragraph.is_supporting);
      return questionOf(
        each,
        keys,
        needed.map(({ title, paragraph_text }) => `${title}\n${paragraph_text}`),
      );
    }),
  };
}

/** The question with the pages that it needs, each named by its key. Throws if there is no such page. */
function questionOf(
  { question }: { readonly question: string },
  keys: readonly string[],
  needed: readonly string[],
): Question {
  const pages = [...new Set(needed)].map((key) => {
    const index = keys.indexOf(key);
    if (index === -1) throw new Error(`no passage is ${key.slice(0, 100)}`);
    return pageId(index);
  });
  return { id: question, wordings: [question], markers: [], pages };
}

const readJson = async <Content>(folder: string, name: string): Promise<Content> =>
  JSON.parse(await readFile(join(folder, `${name}.json`), "utf8"));
