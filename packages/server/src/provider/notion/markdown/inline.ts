import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { type Tag, tagAt } from "./tag.ts";

/** What a line holds that may lead somewhere. */
export type Piece = Link | TagPiece;

interface Link {
  readonly kind: "link";
  readonly href: string;
  /** What the reader sees in its place. */
  readonly text: string;
}

export interface TagPiece {
  readonly kind: "tag";
  readonly tag: Tag;
  /** What stands between it and the tag that closes it; empty where nothing closes it in this line. */
  readonly text: string;
}

/**
 * Finds links, citations and the provider's tags in one line of prose, in order, with Markdown's own rules for
 * escapes, code and nesting: what stands in code or is escaped is text.
 */
export function piecesOf(line: string): Piece[] {
  // Nearly all lines of prose hold nothing of the kind.
  if (!/\]\(|<|\[\^/.test(line)) return [];
  const collector = new PieceCollector();
  for (const token of parser.parseInline(line, {})) collector.collect(token.children ?? []);
  return collector.pieces;
}

// An image's caption is read once more for each image around it, so what nests deeper than any text is let be.
const parser = new MarkdownIt("zero", { maxNesting: 16 });
parser.inline.ruler.enable(["escape", "backticks", "link", "image", "autolink"]);
parser.inline.ruler.before("link", "citation", citation);
parser.inline.ruler.before("autolink", "tag", tag);
// Addresses are judged where they are used, and must be as the provider wrote them.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

type Mutable<T> = { -readonly [Key in keyof T]: T[Key] };

/** A piece whose text is not over yet. */
interface Open {
  readonly piece: Mutable<Piece>;
  /** Where its text begins in that of the line. */
  readonly start: number;
}

class PieceCollector {
  readonly pieces: Piece[] = [];
  /** What was read of the line, without markup. */
  #text = "";
  /** By the names of what closes them, the innermost last. */
  readonly #open = new Map<string, Open[]>();

  collect(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (token.type === "link_open") {
        this.#begin("](", { kind: "link", href: `${token.attrGet("href") ?? ""}`, text: "" });
      } else if (token.type === "link_close") this.#end("](");
      else if (token.type === "tag") this.#addTag(token.content);
      // The caption of an image.
      else if (token.children !== null) this.collect(token.children);
      else this.#text += token.content;
    }
  }

  #addTag(source: string): void {
    const tag = tagAt(source, 0);
    if (tag === null) return;
    if (tag.closing) this.#end(tag.name);
    if (tag.name === "br") this.#text += " ";
    const piece = { kind: "tag", tag, text: "" } as const;
    if (tag.closing || source.endsWith("/>")) this.pieces.push(piece);
    else this.#begin(tag.name, piece);
  }

  #begin(closedBy: string, piece: Piece): void {
    this.pieces.push(piece);
    const open = this.#open.get(closedBy) ?? [];
    open.push({ piece, start: this.#text.length });
    this.#open.set(closedBy, open);
  }

  #end(closedBy: string): void {
    const open = this.#open.get(closedBy)?.pop();
    if (open !== undefined) open.piece.text = this.#text.slice(open.start);
  }
}

/** `[^address]`: a source of what the text says. */
function citation(state: StateInline, silent: boolean): boolean {
  const match = matchAt(/\[\^([^[\]\s]+)\]/y, state);
  const address = match?.[1];
  if (match === null || address === undefined) return false;
  if (!silent) {
    const href = address.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
    state.push("link_open", "a", 1).attrs = [["href", href]];
    state.push("link_close", "a", -1);
  }
  state.pos += match[0].length;
  return true;
}

function tag(state: StateInline, silent: boolean): boolean {
  const found = tagAt(state.src, state.pos);
  if (found === null || found.end > state.posMax) return false;
  if (!silent) state.push("tag", "", 0).content = state.src.slice(state.pos, found.end);
  state.pos = found.end;
  return true;
}

function matchAt(pattern: RegExp, state: StateInline): RegExpExecArray | null {
  pattern.lastIndex = state.pos;
  const match = pattern.exec(state.src);
  return match !== null && pattern.lastIndex <= state.posMax ? match : null;
}
