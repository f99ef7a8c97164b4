import { endOfMatch, matchAt } from "./regions.ts";
import { Braces, type Tag } from "./tag.ts";

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
  #paragraph = { from: 0, end: 0 };

  constructor(source: string) {
    this.braces = new Braces(source);
    this.#source = source;
    this.#lastComment = source.lastIndexOf("-->");
    this.#lastNote = lastMatches(source, /(\*\/)\s*\}/g).get("*/") ?? -1;
    this.#lastTags = lastMatches(source, /<\/([A-Za-z][\w.:-]*)\s*>/g);
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
    return endOfMatch(new RegExp(`</${name}\\s*>`, "gi"), this.#source, end) ?? this.#source.length;
  }
}

/** The index of the last match for each first group of a pattern. */
function lastMatches(source: string, pattern: RegExp): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const match of source.matchAll(pattern)) places.set(match[1] ?? "", match.index);
  return places;
}
