import { CodePoints } from "../basics/code-points.ts";
import { plainText } from "../markdown/plain-text.ts";

/** A heading of a text (GRAPH-5). */
export interface TextHeading {
  /** 1–6. */
  readonly level: number;
  /** As a reader sees it. */
  readonly text: string;
  /** The start of its line in the Markdown, in code points. */
  readonly offset: number;
}

/** The headings of a text, in order; those without text are left out. */
export function outlineOf(markdown: string): TextHeading[] {
  const { text, blocks } = plainText(markdown, ({ kind }) => kind === "heading");
  const codePoints = new CodePoints(markdown);
  return blocks.map(({ level, start, from, to }) => ({
    level,
    text: text.slice(from, to),
    offset: codePoints.before(start),
  }));
}
