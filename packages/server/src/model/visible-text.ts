import { anyHidden, hiddenInText } from "@clew/contract/hidden-characters";
import { countCodePoints } from "@clew/text/basics";

/** A text without hidden characters. */
export interface VisibleText {
  readonly text: string;
  /** The places of the hidden characters in the given text: the number of code points before each, in order. */
  readonly removed: readonly number[];
}

/** Removes hidden characters from a running text; line breaks, tabs and other controls stay. */
export function visibleText(given: string): VisibleText {
  if (!anyHidden.test(given)) return { text: given, removed: [] };
  const removed: number[] = [];
  let text = "";
  let end = 0;
  let before = 0;
  for (const { 0: found, index, groups } of given.matchAll(hiddenInText)) {
    if (groups?.part !== undefined) continue;
    const kept = given.slice(end, index);
    before += countCodePoints(kept);
    removed.push(before);
    before += 1;
    text += kept;
    end = index + found.length;
  }
  return { text: text + given.slice(end), removed };
}

/** Says how many hidden characters were left out of a text. */
export function leftOut(characters: number): string {
  return `(${characters} invisible ${characters === 1 ? "character" : "characters"} left out)`;
}
