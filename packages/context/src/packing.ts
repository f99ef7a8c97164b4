import { firstIndex } from "@clew/text/basics";
import type { Candidate } from "./candidates.ts";
import { CopiedPassages } from "./copied-passages.ts";
import type { Layout, Reason, ShownPage } from "./layout.ts";
import type { MatchedSection } from "./pages.ts";
import type { RankedPage } from "./scores.ts";
import type { Unit } from "./units.ts";

/** The share of the context that a page may take in the first round, and the characters that it may take in a small one. */
const firstShare = 0.3;
const firstChars = 1_500;
/** The share that a page may take while others wait. */
const mostShare = 0.5;
/** Pages whose sections are completed before further ones are taken. */
const completedPages = 3;
/** The least characters of a passage that are worth a line. */
const leastCut = 40;
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

/** The ends that a beginning of these passages may have: after any of them but an introduction or a header. */
function endsOf({ groups }: MatchedSection, passages: readonly number[]): number[] {
  const leads = new Set(
    groups.flatMap(({ introduction, kind, items }) => [
      ...(introduction === null ? [] : [introduction]),
      ...(kind === "table" && items.length > 1 ? (items[0] ?? []) : []),
    ]),
  );
  return passages.flatMap((position, index) => (leads.has(position) ? [] : [index + 1]));
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

  /** Takes the beginning of a unit: as many passages as there is room for, of which the last one is cut. */
  takeCut({ page, section, passages }: Unit): void {
    const room = this.#room - lineBreaks;
    const opened = { ...this.#opened(page), alike: [] };
    const whole = { ...opened, shown: new Set(passages) };
    if (this.#layout.pageOf(whole).length <= room) {
      this.#pages.set(page, whole);
      return;
    }
    const cutAfter = (shown: readonly number[], at: number) => ({
      ...opened,
      shown: new Set(shown),
      cut: { position: shown.at(-1) ?? 0, at },
    });
    const leftBy = (shown: readonly number[], at: number) =>
      room - this.#layout.pageOf(cutAfter(shown, at)).length;
    const bare = passages.filter(
      (position) => !section.groups.some((group) => group.introduction === position),
    );
    const [shown = bare.slice(0, 1)] = [passages, bare].flatMap((all) => {
      const ends = endsOf(section, all);
      const isTooLong = (index: number) => leftBy(all.slice(0, ends[index]), 0) < leastCut;
      const fitting = firstIndex(0, ends.length, isTooLong);
      return fitting === 0 ? [] : [all.slice(0, ends[fitting - 1])];
    });
    const left = Math.max(0, leftBy(shown, 0));
    // Tildes in the part that is shown make its fence longer.
    const over = Math.max(0, -leftBy(shown, left));
    this.#pages.set(page, cutAfter(shown, Math.max(0, left - over)));
  }

  #opened(page: RankedPage): OpenPage {
    return {
      page,
      why: this.#reasonOf(page),
      shown: new Set(),
      cut: null,
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
