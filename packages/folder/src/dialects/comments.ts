import { outsideCode } from "./dialect.ts";

/** A text without its comments, and the comments. */
interface Split {
  readonly shown: string;
  readonly comments: string;
}

const sign = "%%";
const code = /\0\d+\0/g;

/**
 * Takes Obsidian's comments, `%%…%%`, out of a text (https://obsidian.md/help/syntax#Comments). Its graph counts their links and tags. One that begins its line, or a quote in it,
 * may have several lines, and without an end it reaches to that of the text; another one ends on its line, or is none.
 */
export function splitComments(text: string): Split {
  if (!text.includes(sign)) return { shown: text, comments: "" };
  const comments: string[] = [];
  const shown = outsideCode(text, (prose) => {
    const pieces: string[] = [];
    let place = 0;
    let isLineEmpty = true;
    for (let start = prose.indexOf(sign); start !== -1; start = prose.indexOf(sign, place)) {
      const before = prose.slice(place, start);
      const newline = before.lastIndexOf("\n");
      const isFirst = (isLineEmpty || newline !== -1) && /^[\s>]*$/.test(before.slice(newline + 1));
      const end = before.endsWith("\\") ? null : endOfComment(prose, start, isFirst);
      place = (end ?? start) + sign.length;
      pieces.push(before, end === null ? sign : "");
      if (end !== null) comments.push(prose.slice(start + sign.length, end).replace(code, ""));
      isLineEmpty = false;
    }
    pieces.push(prose.slice(place));
    return pieces.join("");
  });
  return { shown, comments: comments.join("\n\n") };
}

/** The place of the signs that end a comment, or the end of the text; null if the signs at `start` begin none. */
function endOfComment(prose: string, start: number, isFirst: boolean): number | null {
  const end = prose.indexOf(sign, start + sign.length);
  if (isFirst) return end === -1 ? prose.length : end;
  return end === -1 || prose.slice(start, end).includes("\n") ? null : end;
}
