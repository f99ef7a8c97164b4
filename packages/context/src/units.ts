import { positionsOf } from "./layout.ts";
import type { MatchedGroup, MatchedSection } from "./pages.ts";
import type { RankedPage, ScoredPassage } from "./scores.ts";

/**
 * Passages of one section that are shown together or not at all, because one of them alone could be false (GRAPH-22): a
 * section, a list, a table, or an item or row of a long one with what is nested in it.
 */
export interface Unit {
  readonly page: RankedPage;
  readonly section: MatchedSection;
  /** Positions of its passages on the page, ascending. */
  readonly passages: readonly number[];
  /** The score of its best passage. */
  readonly score: number;
}

/** A list or table of no more items is shown whole if it is short enough. */
const wholeItems = { list: 8, table: 11, block: 1 };

/** The units of pages, in the order of their best passages. `mostChars` is the length up to which sections and groups are whole. */
export function unitsOf(scored: readonly ScoredPassage[], mostChars: number): Unit[] {
  const units = new Map<RankedPage, readonly (readonly number[])[]>();
  const taken = new Set<readonly number[]>();
  return scored.flatMap(({ page, position, score }) => {
    const ofPage = units.get(page) ?? positionsByPassage(page, mostChars);
    units.set(page, ofPage);
    const passages = ofPage[position] ?? [position];
    const section = page.passages[position]?.section;
    if (section === undefined || taken.has(passages)) return [];
    taken.add(passages);
    return [{ page, section, passages, score }];
  });
}

/** For each passage of a page, the positions of the unit that has it. */
function positionsByPassage({ sections, passages }: RankedPage, mostChars: number): (readonly number[])[] {
  const charsOf = (positions: readonly number[]) =>
    positions.reduce((sum, position) => sum + (passages[position]?.block.text.length ?? 0) + 1, 0);
  const found: (readonly number[])[] = [];
  const add = (own: readonly number[], all: readonly number[] = own) => {
    for (const position of own) found[position] = all;
  };
  for (const { groups } of sections) {
    const whole = groups.flatMap(positionsOf);
    if (charsOf(whole) <= mostChars) add(whole);
    else
      for (const group of groups)
        for (const { own, all } of partsOf(group, charsOf, mostChars)) add(own, all);
  }
  return found;
}

/** A group as a whole, or each of its items with the introduction; rows have the first row of their table, mostly its header. */
function partsOf(
  group: MatchedGroup,
  charsOf: (positions: readonly number[]) => number,
  mostChars: number,
): { readonly own: readonly number[]; readonly all: readonly number[] }[] {
  const { kind, introduction, items } = group;
  const whole = positionsOf(group);
  if (items.length === 1 || (items.length <= wholeItems[kind] && charsOf(whole) <= mostChars))
    return [{ own: whole, all: whole }];
  // An introduction or a header says nothing without what follows it.
  const shared = [
    ...(introduction === null ? [] : [introduction]),
    ...(kind === "table" ? (items[0] ?? []) : []),
  ];
  const [first = [], ...others] = kind === "table" ? items.slice(1) : items;
  const beginning = [...shared, ...first];
  return [{ own: beginning, all: beginning }, ...others.map((own) => ({ own, all: [...shared, ...own] }))];
}
