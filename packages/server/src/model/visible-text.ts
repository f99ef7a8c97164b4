import { anyHidden, hiddenInText } from "@clew/contract/hidden-characters";
import { countCodePoints } from "@clew/text/basics";

/** A text without hidden characters. */
export interface VisibleText {
  readonly text: string;
  /** The number of hidden characters that the given text has. */
  readonly hidden: number;
  /**
   * The places in the given text of those that nothing stands for any more: the number of code points before each, in order.
   */
  readonly removed: readonly number[];
}

/** Ends of lines that a text is no longer to have. A space stands for each, so that words stay apart. */
const otherLineEnd = /^(?:[\v\f\u0085\u2028\u2029]|\r(?!\n))/;

/** Removes hidden characters from a running text; tabs and line feeds stay. */
export function visibleText(given: string): VisibleText {
  if (!anyHidden.test(given)) return { text: given, hidden: 0, removed: [] };
  const removed: number[] = [];
  let hidden = 0;
  let text = "";
  let end = 0;
  let before = 0;
  for (const { 0: found, index, groups } of given.matchAll(hiddenInText)) {
    if (groups?.part !== undefined) continue;
    const kept = given.slice(end, index);
    before += countCodePoints(kept);
    hidden += 1;
    text += kept;
    end = index + found.length;
    if (otherLineEnd.test(given.slice(index, end + 1))) text += " ";
    else removed.push(before);
    before += 1;
  }
  return { text: text + given.slice(end), hidden, removed };
}

/** Says how many hidden characters were left out of a text. */
export function leftOut(characters: number): string {
  return `(${characters} invisible ${characters === 1 ? "character" : "characters"} left out)`;
}

/** Says that a part of a page's text is missing, since the page could not be read whole (GRAPH-5). */
export const notReadWhole = "(This page was not read whole: a part of its text is missing.)";
