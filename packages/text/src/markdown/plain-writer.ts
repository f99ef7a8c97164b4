import { lastAtMost } from "../basics/first-index.ts";

/** Converts between positions in a plain text and places in its Markdown, both in UTF-16 units. */
export interface PlainPlaces {
  /** The place of a position. */
  readonly sourceAt: (position: number) => number;
  /** The position of what follows a place. */
  readonly positionOf: (source: number) => number;
}

/** Collects the parts of a text, with the place of each in the Markdown. */
export class PlainWriter {
  readonly #markdown: string;
  #text = "";
  /** For each part, where it starts in the text and in the Markdown, and where it ends there. */
  readonly #froms: number[] = [];
  readonly #starts: number[] = [];
  readonly #ends: number[] = [];
  /** A separator to write before the next part. */
  #separator: { readonly text: string; readonly place: number } | null = null;

  constructor(markdown: string) {
    this.#markdown = markdown;
  }

  get length(): number {
    return this.#text.length;
  }

  /** Begins a line, if anything follows, and returns where its text will be. */
  beginBlock(place: number): number {
    if (this.length === 0) return 0;
    this.#separator = { text: "\n", place };
    return this.length + 1;
  }

  /** Separates what follows from what the block has so far, if there is any of both. */
  separate(text: string, place: number): void {
    if (this.length > 0) this.#separator ??= { text, place };
  }

  /** Adds a part of the Markdown. */
  copy(start: number, end: number): void {
    if (start >= end) return;
    if (this.#separator !== null) {
      const { text, place } = this.#separator;
      this.#separator = null;
      this.#add(text, place, place);
    }
    const last = this.#ends.length - 1;
    const goesOn = this.#ends[last] === start && start > (this.#starts[last] ?? start);
    if (goesOn) {
      this.#ends[last] = end;
      this.#text += this.#markdown.slice(start, end);
    } else {
      this.#add(this.#markdown.slice(start, end), start, end);
    }
  }

  #add(text: string, start: number, end: number): void {
    this.#froms.push(this.#text.length);
    this.#starts.push(start);
    this.#ends.push(end);
    this.#text += text;
  }

  finished(): PlainPlaces & { readonly text: string } {
    const [froms, starts, ends] = [this.#froms, this.#starts, this.#ends];
    return {
      text: this.#text,
      sourceAt(position) {
        const part = lastAtMost(froms, position);
        if (part < 0) return 0;
        return Math.min((starts[part] ?? 0) + position - (froms[part] ?? 0), ends[part] ?? 0);
      },
      positionOf: (source) => {
        const part = lastAtMost(starts, source);
        if (part < 0) return 0;
        const next = froms[part + 1] ?? this.#text.length;
        return Math.min((froms[part] ?? 0) + source - (starts[part] ?? 0), next);
      },
    };
  }
}
