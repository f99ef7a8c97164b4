import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import { type Tag, tagAt } from "./tag.ts";

/** What a line holds that may lead somewhere. */
export type Piece =
  | { readonly kind: "link"; readonly href: string }
  | { readonly kind: "tag"; readonly tag: Tag };

/**
 * Finds links, citations and the provider's tags in one line of prose, in order, with Markdown's own rules for
 * escapes, code and nesting: what stands in code or is escaped is text.
 */
export function piecesOf(line: string): Piece[] {
  // Nearly all lines of prose hold nothing of the kind.
  if (!/\]\(|<|\[\^/.test(line)) return [];
  const pieces: Piece[] = [];
  for (const token of parser.parseInline(line, {})) collect(token.children ?? [], pieces);
  return pieces;
}

// An image's caption is read once more for each image around it, so what nests deeper than any text is let be.
const parser = new MarkdownIt("zero", { maxNesting: 16 });
parser.inline.ruler.enable(["escape", "backticks", "link", "image", "autolink"]);
parser.inline.ruler.before("link", "citation", citation);
parser.inline.ruler.before("autolink", "tag", tag);
// Addresses are judged where they are used, and must be as the provider wrote them.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

function collect(tokens: readonly Token[], pieces: Piece[]): void {
  for (const token of tokens) {
    if (token.type === "link_open") pieces.push({ kind: "link", href: `${token.attrGet("href") ?? ""}` });
    const found = token.type === "tag" ? tagAt(token.content, 0) : null;
    if (found !== null) pieces.push({ kind: "tag", tag: found });
    // The caption of an image.
    if (token.children !== null) collect(token.children, pieces);
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
