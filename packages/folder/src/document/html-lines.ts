import { matchAt, type Region } from "./regions.ts";
import { isBlockElement } from "./tag.ts";

/** The start of a line of Markdown that may begin a block of HTML: white space, markers of lists, and a tag. */
const tagAtStart = /((?: {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]+)*)( {0,3})<\/?([A-Za-z][\w.-]*)(?=[\s/>]|$)/y;
const listMarker = /(?:[-*+]|\d{1,9}[.)])[ \t]/y;
const whiteSpace = /[ \t]*/y;

/**
 * Knows which lines of a source are within a block of HTML: the tag of a block element begins it, and a blank line ends it
 * (CommonMark, section 4.6). The white space at the start of its lines only shows how elements are nested, and makes no code.
 */
export class HtmlLines {
  readonly #source: string;
  /** The white space before the block, which keeps it in its list; null outside of a block. */
  #indent: string | null = null;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads the white space at the start of a line; null if it stays as it is. To be asked for each line, in their order. */
  readIndent(place: number): Region | null {
    const space = matchAt(whiteSpace, this.#source, place)?.[0] ?? "";
    const start = place + space.length;
    if (start === this.#source.length || this.#source.charAt(start) === "\n") {
      this.#indent = null;
      return null;
    }
    if (this.#indent === null) {
      const [, markers = "", indent = "", name = ""] = matchAt(tagAtStart, this.#source, place) ?? [];
      if (isBlockElement(name)) this.#indent = " ".repeat(markers.length) + indent;
      return null;
    }
    const isDeeper = space.length > this.#indent.length || space.includes("\t");
    if (!isDeeper || matchAt(listMarker, this.#source, start) !== null) return null;
    return { text: this.#indent, end: start };
  }
}
