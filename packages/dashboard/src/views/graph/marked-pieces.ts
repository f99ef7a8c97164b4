import type { Node } from "@clew/client";

/** A text cut at what was found; ranges are in code points. */
export function markedPieces(
  text: string,
  marks: readonly (readonly number[])[],
): readonly { readonly text: string; readonly isMarked: boolean }[] {
  const characters = [...text];
  const pieces: { text: string; isMarked: boolean }[] = [];
  let shown = 0;
  const add = (end: number, isMarked: boolean) => {
    if (end > shown) pieces.push({ text: characters.slice(shown, end).join(""), isMarked });
    shown = Math.max(shown, end);
  };
  for (const [start = 0, end = 0] of marks) {
    add(start, false);
    add(end, true);
  }
  add(characters.length, false);
  return pieces;
}

/** Whether a text says no more than a page's title: its words, in any case, whatever signs are around them. */
export function isTitleOf({ title }: Pick<Node, "title">, text: string): boolean {
  const words = wordsOf(text);
  return words !== "" && words === wordsOf(title ?? "");
}

const wordsOf = (text: string): string =>
  (text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{M}\p{N}]*/gu) ?? []).join(" ");
