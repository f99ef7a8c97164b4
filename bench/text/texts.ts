import { type Random, seededRandom } from "@clew/stand-in/testing/random";
import type { PageSource } from "@clew/text-index";
import { below, mix } from "../graph/workspace/random.ts";
import { scripts, wordOf } from "../graph/workspace/words.ts";

/** The languages of the texts of a workspace. */
export type Language = "Latin" | "Chinese";

const scriptOf = (language: Language) => {
  const script = scripts.find(({ name }) => name === language);
  if (script === undefined) throw new Error(`no script ${language}`);
  return script;
};
const latin = scriptOf("Latin");
const chinese = scriptOf("Chinese");

/** Distinct words of Latin texts, and characters of Chinese ones. */
export const vocabulary = { Latin: 400_000, Chinese: 2_000 };

/** The word of a rank; frequency falls with the rank by Zipf's law. */
export const latinWord = (rank: number) => wordOf(latin, rank);
const chineseCharacter = (rank: number) => wordOf(chinese, rank);

/** Draws a rank so that frequencies follow Zipf's law. */
const zipf = (random: Random, ranks: number) => Math.floor(ranks ** random()) - 1;

/** The language of a page of a mixed workspace: one in ten is Chinese. */
const languageOf = (page: number): Language => (page % 10 === 9 ? "Chinese" : "Latin");

/** A page of about 4 kB in UTF-8: a title, two properties, headings and paragraphs. Depends on the seed alone. */
export function pageOf(seed: number, page: number, language = languageOf(page)): PageSource {
  const random = seededRandom(mix(seed, page));
  const write = language === "Latin" ? latinSentence : chineseSentence;
  const parts: string[] = [];
  let bytes = 0;
  const size = 2_000 + below(random, 4_000);
  while (bytes < size) {
    if (parts.length % 4 === 0) parts.push(`## ${write(random, 2 + below(random, 4)).slice(0, -1)}`);
    const sentences = Array.from({ length: 2 + below(random, 5) }, () =>
      write(random, 5 + below(random, 15)),
    );
    parts.push(sentences.join(language === "Latin" ? " " : ""));
    bytes += (parts.at(-1)?.length ?? 0) * (language === "Latin" ? 1 : 3);
  }
  return {
    title: write(random, 2 + below(random, 5)).slice(0, -1),
    aliases: [],
    properties: [
      { name: "Status", text: latinWord(100 + below(random, 5)) },
      { name: "Owner", text: latinWord(500 + below(random, 300)) },
    ],
    markdown: parts.join("\n\n"),
  };
}

function latinSentence(random: Random, words: number): string {
  const sentence = Array.from({ length: words }, () => latinWord(zipf(random, vocabulary.Latin))).join(" ");
  return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
}

function chineseSentence(random: Random, words: number): string {
  const characters = Array.from({ length: 2 * words }, () =>
    chineseCharacter(zipf(random, vocabulary.Chinese)),
  );
  return `${characters.join("")}。`;
}

/** A page's id: random bytes that depend on its number alone. */
export function idOf(page: number): Uint8Array {
  const id = new Uint8Array(16);
  const view = new DataView(id.buffer);
  for (let part = 0; part < 4; part += 1) view.setUint32(4 * part, mix(page, part));
  return id;
}
