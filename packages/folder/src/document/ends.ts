import { endOfMatch, matchAt } from "./regions.ts";
import { Braces, type Tag } from "./tag.ts";

const endTag = /<\/([A-Za-z][\w.:-]*)\s*>/g;
const backticks = /`+/g;

/**
 * Finds the ends of what opens in a source. An end that is missing is looked for once, not at each opening, so that no
 * text takes quadratic time.
 */
export class Ends {
  readonly braces: Braces;
  readonly #source: string;
  readonly #lastComment: number;
  readonly #lastNote: number;
  /** The index of the last end tag of each element. */
  readonly #lastTags: ReadonlyMap<string, number>;
  /** The index of the last run of backticks of each length. */
  readonly #lastRuns: ReadonlyMap<string, number>;
  #paragraph = { from: 0, end: 0 };

  constructor(source: string) {
    this.braces = new Braces(source);
    this.#source = source;
    this.#lastComment = source.lastIndexOf("-->");
    this.#lastNote = lastMatches(source, /(\*\/)\s*\}/g).get("*/") ?? -1;
    this.#lastTags = lastMatches(source, endTag);
    this.#lastRuns = lastMatches(source, /(`+)/g);
  }

  /** The index after the paragraph at an index: its last line end, or the end of the source. */
  ofParagraph(place: number): number {
    const { from, end } = this.#paragraph;
    if (place < from || place >= end)
      this.#paragraph = {
        from: place,
        end: endOfMatch(/\n[ \t]*(?=\n|$)/g, this.#source, place) ?? this.#source.length,
      };
    return this.#paragraph.end;
  }

  /** The index after the comment that opens at an index; null if it does not end. */
  ofComment(place: number): number | null {
    return place > this.#lastComment ? null : this.#source.indexOf("-->", place) + 3;
  }

  /** The index after the comment of MDX (`{/* … *\/}`) at an index; null if there is none. */
  ofNote(place: number): number | null {
    if (place > this.#lastNote) return null;
    const note = matchAt(/\{\s*\/\*[\s\S]*?\*\/\s*\}/y, this.#source, place);
    return note === null ? null : place + note[0].length;
  }

  /** Whether an end tag of its name follows a tag. */
  hasEndTag({ name, end }: Tag): boolean {
    return (this.#lastTags.get(name) ?? -1) >= end;
  }

  /** The index after the element of a tag; the end of the source if it does not end. */
  ofElement({ name, kind, end }: Tag): number {
    if (kind !== "open") return end;
    const wanted = name.toLowerCase();
    endTag.lastIndex = end;
    for (let tag = endTag.exec(this.#source); tag !== null; tag = endTag.exec(this.#source))
      if (tag[1]?.toLowerCase() === wanted) return endTag.lastIndex;
    return this.#source.length;
  }

  /** The index after the run of backticks that ends a code span; null if none does in its paragraph. */
  ofCodeSpan(place: number, run: string): number | null {
    if ((this.#lastRuns.get(run) ?? -1) <= place) return null;
    const end = this.ofParagraph(place);
    backticks.lastIndex = place + run.length;
    for (let next = backticks.exec(this.#source); next !== null; next = backticks.exec(this.#source)) {
      if (next.index >= end) return null;
      if (next[0] === run) return backticks.lastIndex;
    }
    return null;
  }
}

/** The index of the last match for each first group of a pattern. */
function lastMatches(source: string, pattern: RegExp): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  pattern.lastIndex = 0;
  for (const match of source.matchAll(pattern)) places.set(match[1] ?? "", match.index);
  return places;
}
