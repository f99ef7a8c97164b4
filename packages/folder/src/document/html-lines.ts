import { matchAt, type Region } from "./regions.ts";
import { isBlockElement } from "./tag.ts";

const tag = /<\/?([A-Za-z][\w.-]*)(?=[\s/>]|$)/y;
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
      this.#indent = this.#indentOfTag(place);
      return null;
    }
    const isDeeper = space.length > this.#indent.length || space.includes("\t");
    if (!isDeeper || matchAt(listMarker, this.#source, start) !== null) return null;
    return { text: this.#indent, end: start };
  }

  /** The white space to which a block of HTML belongs whose tag begins a line, after markers of lists; null if none does. */
  #indentOfTag(start: number): string | null {
    let place = start;
    for (;;) {
      const space = matchAt(whiteSpace, this.#source, place)?.[0] ?? "";
      // More of it at the start of a line makes code.
      if (place === start && !/^ {0,3}$/.test(space)) return null;
      place += space.length;
      const marker = matchAt(listMarker, this.#source, place);
      if (marker === null) break;
      place += marker[0].length;
    }
    const name = matchAt(tag, this.#source, place)?.[1];
    return name !== undefined && isBlockElement(name) ? " ".repeat(place - start) : null;
  }
}
