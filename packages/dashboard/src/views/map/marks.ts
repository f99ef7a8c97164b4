/** The pages that stand out on a map. Positions are those of the map. */
export interface Marks {
  readonly hovered: number | null;
  readonly selected: number | null;
  /** One of the pages that the selected one is linked with, reached by keyboard. */
  readonly visited: number | null;
  /** The pages that the selected or hovered one is linked with. */
  readonly linked: readonly number[];
  readonly path: readonly number[];
  readonly lit: readonly (Glow & { readonly position: number })[];
}

/** A page that glows, such as one that is being read. */
export interface LitPage extends Glow {
  readonly id: string;
}

interface Glow {
  /** A colour in CSS. */
  readonly colour: string;
  /** From 1 for the latest to 0. */
  readonly strength: number;
}

export const noMarks: Marks = { hovered: null, selected: null, visited: null, linked: [], path: [], lit: [] };

/** Of the pages that one is linked with, those that are named. */
const mostLinkedNames = 14;

/** The pages whose names come before all others. */
export function firstNamed({ hovered, selected, visited, path }: Marks): readonly number[] {
  return [...new Set([visited, hovered, selected, ...path].filter((page) => page !== null))];
}

/** Of the linked pages, those that are named: none beside a path. */
export function linkedNamed({ linked, path }: Marks): readonly number[] {
  return path.length > 0 ? [] : linked.slice(0, mostLinkedNames);
}

/** All pages that are named because they stand out. */
export function namesOf(marks: Marks): readonly number[] {
  return [...firstNamed(marks), ...linkedNamed(marks)];
}
