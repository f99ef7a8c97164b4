import { seededRandom } from "@clew/stand-in/testing/random";
import { below, mix } from "../graph/workspace/random.ts";
import { latinWord, pageOf, vocabulary } from "./texts.ts";

/** Kinds of questions, each with how to draw one of a workspace. */
const kinds = {
  "one word": (draw) => draw.word(1_000, 20_000),
  "several words": (draw) => `${draw.word(50, 500)} ${draw.word(500, 5_000)} ${draw.word(1_000, 20_000)}`,
  "two common words": (draw) => `${draw.word(0, 20)} ${draw.word(20, 60)}`,
  phrase: (draw) => `"${draw.run(2 + draw.below(2))}"`,
  "prefix*": (draw) => `${draw.word(1_000, 20_000).slice(0, 4)}*`,
  "rare word": (draw) => draw.word(vocabulary.Latin / 2, vocabulary.Latin),
  "very common word": (draw) => draw.word(0, 5),
  "no hit": (draw) => `zzyx${draw.below(1_000_000)}`,
  Chinese: (draw) => draw.chinese(2 + draw.below(3)),
} satisfies Record<string, (draw: Draw) => string>;

export type QueryKind = keyof typeof kinds;
export const queryKinds = Object.keys(kinds) as QueryKind[];

const asked = 2_000;

/** Questions of one kind. Those of different runs differ. */
export function someQueries(seed: number, pages: number, kind: QueryKind, run: number): string[] {
  const draw = new Draw(mix(seed, run), pages);
  return Array.from({ length: asked }, () => kinds[kind](draw));
}

/** Questions for contexts, with as many words. Those of different runs differ. */
export function someQuestions(seed: number, pages: number, words: number, run: number): string[] {
  const draw = new Draw(mix(seed, run), pages);
  const ranks = [
    [20, 200],
    [200, 3_000],
    [1_000, 20_000],
    [100, 10_000],
  ] as const;
  const ranksOfWords = Array.from({ length: words / ranks.length }, () => ranks).flat();
  return Array.from({ length: 100 }, () => ranksOfWords.map(([from, to]) => draw.word(from, to)).join(" "));
}

class Draw {
  readonly #random: () => number;
  readonly #pages: number;

  constructor(seed: number, pages: number) {
    this.#random = seededRandom(seed);
    this.#pages = pages;
  }

  below(end: number): number {
    return below(this.#random, end);
  }

  word(from: number, to: number): string {
    return latinWord(from + this.below(to - from));
  }

  /** Words that follow one another in a text. */
  run(length: number): string {
    const words = this.#text("Latin").split(" ");
    const start = this.below(words.length - length);
    return words
      .slice(start, start + length)
      .join(" ")
      .replace(/[.#\n]+/g, " ");
  }

  chinese(length: number): string {
    const sentences = this.#text("Chinese")
      .split(/[。#\s]+/)
      .filter((sentence) => sentence.length >= length);
    const sentence = sentences[this.below(sentences.length)] ?? "";
    const start = this.below(sentence.length - length + 1);
    return sentence.slice(start, start + length);
  }

  #text(language: "Latin" | "Chinese"): string {
    const page = this.below(this.#pages);
    const own = language === "Chinese" ? page - (page % 10) + 9 : page - (page % 10);
    return pageOf(seedOfTexts, own).markdown;
  }
}

/** Questions are drawn anew with each run, texts are not. */
export const seedOfTexts = Number(process.env.SEED ?? 1);
