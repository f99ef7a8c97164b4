import type { Candidate } from "./candidates.ts";
import { CopiedPassages } from "./copied-passages.ts";
import type { Layout, Reason, ShownPage } from "./layout.ts";
import type { RankedPage } from "./scores.ts";
import type { Unit } from "./units.ts";

/** The share of the context that a page may take in the first round, and the characters that it may take in a small one. */
const firstShare = 0.3;
const firstChars = 1_500;
/** The share that a page may take while others wait. */
const mostShare = 0.5;
/** Pages whose sections are completed before further ones are taken. */
const completedPages = 3;
/** Characters between pages. */
const lineBreaks = 2;

/** Takes the best units as long as there is room. Returns the pages in the order in which they were taken. */
export function pack(
  units: readonly Unit[],
  maxChars: number,
  layout: Layout,
  reasonOf: (page: RankedPage) => Reason,
): ShownPage[] {
  const packing = new Packing(maxChars, layout, reasonOf);
  const first = Math.min(Math.max(firstShare * maxChars, firstChars), mostShare * maxChars);
  let left = units.filter((unit) => !packing.take(unit, first));
  const best = new Set(
    units
      .map(({ page }) => page)
      .toSorted((a, b) => b.rank - a.rank)
      .slice(0, completedPages),
  );
  const isOpen = ({ page, section }: Unit) => best.has(page) && packing.hasPartOf(page, section);
  left = left.filter((unit) => !isOpen(unit) || !packing.take(unit, mostShare * maxChars));
  left = left.filter((unit) => !packing.take(unit, mostShare * maxChars));
  // If no other page waits, one page may fill the rest.
  if (packing.size === new Set(units.map(({ page }) => page)).size)
    for (const unit of left) packing.take(unit, maxChars);
  const [top] = units;
  if (packing.size === 0 && top !== undefined) packing.takeCut(top);
  return packing.pages();
}

interface OpenPage extends ShownPage {
  readonly alike: Candidate[];
  /** The length of its part of the context. */
  readonly length: number;
}

class Packing {
  readonly #pages = new Map<RankedPage, OpenPage>();
  readonly #copied = new CopiedPassages();
  readonly #maxChars: number;
  readonly #layout: Layout;
  readonly #reasonOf: (page: RankedPage) => Reason;
  #room: number;

  constructor(maxChars: number, layout: Layout, reasonOf: (page: RankedPage) => Reason) {
    this.#maxChars = maxChars;
    this.#layout = layout;
    this.#room = maxChars + lineBreaks;
    this.#reasonOf = reasonOf;
  }

  get size(): number {
    return this.#pages.size;
  }

  pages(): ShownPage[] {
    return [...this.#pages.values()];
  }

  /** Whether some of a section is shown. */
  hasPartOf(page: RankedPage, section: Unit["section"]): boolean {
    const shown = this.#pages.get(page)?.shown ?? [];
    return [...shown].some((position) => page.passages[position]?.section === section);
  }

  /** Takes a unit if there is room and its page has not more than `most` then. Returns whether it needs no other try. */
  take(unit: Unit, most: number): boolean {
    const { page, passages } = unit;
    const own = this.#pages.get(page) ?? this.#opened(page);
    const texts = passages.map((position) => this.#textAt(page, position));
    const chars = texts.reduce((sum, text) => sum + text.length, 0);
    if (chars > this.#room) return false;
    const original = this.#copied.originalOf(texts.join("\n"), page);
    if (original !== null) {
      this.#noteCopy(original, page.candidate);
      return true;
    }
    const shown = new Set([...own.shown, ...passages]);
    if (shown.size === own.shown.size) return true;
    const length = this.#layout.pageOf({ ...own, shown }).length + lineBreaks;
    const cost = length - own.length;
    const isFirst = own.shown.size === 0 && cost <= mostShare * this.#maxChars;
    if (cost > this.#room || (!isFirst && length > most)) return false;
    this.#room -= cost;
    this.#pages.set(page, { ...own, shown, length });
    this.#copied.add(texts.join("\n"), page);
    return true;
  }

  /** Takes as much of a unit's last passage as there is room for. */
  takeCut({ page, passages }: Unit): void {
    const whole = { ...this.#opened(page), alike: [], shown: new Set(passages.slice(-1)) };
    const over = this.#layout.pageOf({ ...whole, cutAt: 0 }).length;
    this.#pages.set(page, { ...whole, cutAt: Math.max(0, this.#room - lineBreaks - over) });
  }

  #opened(page: RankedPage): OpenPage {
    return {
      page,
      why: this.#reasonOf(page),
      shown: new Set(),
      cutAt: null,
      alike: [...page.copies],
      length: 0,
    };
  }

  /** Names a page with nearly the same passage, if there is room for its name. */
  #noteCopy(page: RankedPage, copy: Candidate): void {
    const own = this.#pages.get(page);
    if (own === undefined || own.alike.includes(copy)) return;
    const alike = [...own.alike, copy];
    const length = this.#layout.pageOf({ ...own, alike }).length + lineBreaks;
    if (length - own.length > this.#room) return;
    this.#room -= length - own.length;
    this.#pages.set(page, { ...own, alike, length });
  }

  #textAt(page: RankedPage, position: number): string {
    const block = page.passages[position]?.block;
    return block === undefined ? "" : this.#layout.textOf(block);
  }
}
