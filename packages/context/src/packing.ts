import type { TextPassage } from "@clew/text";
import { hiddenIn, type Layout, type ShownPassage } from "./layout.ts";
import type { RankedPage, ScoredPassage } from "./scores.ts";

/** The part of a page that a context has. */
export interface TakenPage {
  readonly page: RankedPage;
  readonly head: string;
  /** Headings and passages in the order of the text. */
  readonly passages: readonly ShownPassage[];
}

/** The share of the context that a page may take in the first round, and the characters that it may take in a small one. */
const firstShare = 0.15;
const firstChars = 1_500;
/** The share that a page may take in the second round. */
const mostShare = 0.5;
/** Characters between passages. */
const lineBreaks = 2;

/** Takes the best passages as long as there is room, each below the heading of its section and its page's head. */
export function pack(
  passages: readonly ScoredPassage[],
  maxChars: number,
  layout: Layout,
  headOf: (page: RankedPage) => string,
): TakenPage[] {
  const packing = new Packing(maxChars, layout, headOf);
  const first = Math.min(Math.max(firstShare * maxChars, firstChars), mostShare * maxChars);
  let left = passages.filter((each) => !packing.take(each, first));
  left = left.filter((each) => !packing.take(each, mostShare * maxChars));
  // If no other page waits, one page may fill the rest.
  const pages = new Set(passages.map(({ page }) => page));
  if (packing.pages.size === pages.size) for (const each of left) packing.take(each, maxChars);
  const [best] = passages;
  if (packing.pages.size === 0 && best !== undefined) packing.takeCut(best);
  return [...packing.pages.values()];
}

interface OpenPage extends TakenPage {
  readonly passages: ShownPassage[];
}

class Packing {
  readonly pages = new Map<RankedPage, OpenPage>();
  readonly #maxChars: number;
  readonly #layout: Layout;
  readonly #headOf: (page: RankedPage) => string;
  /** The characters that each page has taken. */
  readonly #chars = new Map<RankedPage, number>();
  /** Passages that were taken: pages may have some in common. */
  readonly #seen = new Set<string>();
  #room: number;

  constructor(maxChars: number, layout: Layout, headOf: (page: RankedPage) => string) {
    this.#maxChars = maxChars;
    this.#layout = layout;
    this.#room = maxChars;
    this.#headOf = headOf;
  }

  /** Takes a passage if there is room. Returns whether it needs no other try. */
  take({ page, passage: { block, section } }: ScoredPassage, most: number): boolean {
    if (block.text.length + lineBreaks > this.#room) return false;
    const passage = this.#layout.shown(block);
    if (this.#seen.has(passage.shown)) return true;
    const own = this.pages.get(page) ?? { page, head: this.#headOf(page), passages: [] };
    const added = [...this.#missingHeading(own, section.heading), passage];
    const headChars = own.passages.length === 0 ? own.head.length + lineBreaks : 0;
    const noteChars =
      hiddenIn(own.passages) === 0 && hiddenIn(added) > 0 ? this.#layout.longestNote + lineBreaks : 0;
    const cost = added.reduce((sum, each) => sum + each.shown.length + lineBreaks, headChars + noteChars);
    const taken = this.#chars.get(page) ?? 0;
    const isFirst = taken === 0 && cost <= mostShare * this.#maxChars;
    if (cost > this.#room || (!isFirst && taken + cost > most)) return false;
    this.#room -= cost;
    this.#chars.set(page, taken + cost);
    own.passages.push(...added);
    own.passages.sort((a, b) => a.offset - b.offset);
    this.pages.set(page, own);
    this.#seen.add(passage.shown);
    return true;
  }

  /** Takes as much of a passage as there is room for. */
  takeCut({ page, passage: { block } }: ScoredPassage): void {
    const head = this.#headOf(page);
    const { shown: whole, hidden } = this.#layout.shown(block);
    const noteChars = hidden > 0 ? this.#layout.longestNote + lineBreaks : 0;
    const room = Math.max(0, this.#room - head.length - lineBreaks - noteChars);
    const shown = whole.slice(0, room).replace(/[\ud800-\udbff]$/, "");
    const chars = Math.min(block.chars, [...shown].length);
    this.pages.set(page, { page, head, passages: [{ offset: block.offset, chars, shown, hidden }] });
  }

  #missingHeading({ passages }: TakenPage, heading: TextPassage | null): ShownPassage[] {
    if (heading === null || passages.some(({ offset }) => offset === heading.offset)) return [];
    return [this.#layout.shown(heading)];
  }
}
