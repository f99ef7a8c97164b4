import type { NodeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import MarkdownIt, { type StateInline, type Token } from "markdown-it";
import type { TextAddresses } from "./addresses.ts";

/*
 * Finds the links and tags in a line of the provider's Markdown (docs/markdown.md). By CommonMark's rules, since they decide
 * what is stored as a reference; `@clew/text` reads the same line for what is shown.
 */

/** A tag of the provider's Markdown, in the form of XML: `<mention-page url="…"/>`. */
export interface Tag {
  readonly name: string;
  readonly closing: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** The position after the tag. */
  readonly end: number;
}

const tagPattern = /<(\/?)([a-z][\w-]*)((?:\s+[\w-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/iy;
const attributePattern = /([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** The tag that begins at a position of a line; null if there is none. */
export function tagAt(line: string, position: number): Tag | null {
  tagPattern.lastIndex = position;
  const match = tagPattern.exec(line);
  if (match === null) return null;
  const [, slash, name = "", attributes = ""] = match;
  return {
    name: name.toLowerCase(),
    closing: slash !== "",
    attributes: new Map(
      // `&amp;` is the one escape that matters in addresses.
      [...attributes.matchAll(attributePattern)].map(([, key = "", double, single]) => [
        key,
        (double ?? single ?? "").replaceAll("&amp;", "&"),
      ]),
    ),
    end: tagPattern.lastIndex,
  };
}

/** The block, or the child page or database, that an `<unknown url="…" alt="…"/>` tag replaces. */
export type Unknown =
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "child"; readonly id: NodeId; readonly type: NodeType };

const childTypes: ReadonlyMap<string, NodeType> = new Map([
  ["page", "page"],
  ["child_page", "page"],
  ["database", "database"],
  ["child_database", "database"],
  ["collection_view", "database"],
  ["collection_view_page", "database"],
]);

/** Reads an `<unknown/>` tag. Its address has the id of a block in the fragment, any other id in the path. */
export function unknownOf({ name, attributes }: Tag, addresses: TextAddresses): Unknown | null {
  if (name !== "unknown") return null;
  const address = attributes.get("url") ?? "";
  const block = addresses.blockOf(address);
  if (block !== null) return { kind: "block", id: block };
  const id = addresses.pageOf(address);
  const type = childTypes.get(attributes.get("alt") ?? "");
  if (id === null) return null;
  return type === undefined ? { kind: "block", id } : { kind: "child", id, type };
}

/** A link, a citation or a tag in a line. */
export type InlineReference = (
  | { readonly kind: "link"; readonly href: string }
  | { readonly kind: "tag"; readonly tag: Tag }
) & {
  /** Its beginning in the line, in UTF-16 code units. */
  readonly at: number;
  /** The text that it contains; empty for a tag that the line does not close. */
  text: string;
};

/**
 * Finds links, citations and tags in a line of prose, in order, by Markdown's rules for escapes, code and nesting: in
 * code, or escaped, they are plain text.
 */
export function inlineReferences(line: string): InlineReference[] {
  // Most lines have none, and need no parser.
  if (!/\]\(|<|\[\^/.test(line)) return [];
  const collector = new InlineCollector();
  for (const token of parser.parseInline(line, {})) collector.collect(token.children ?? []);
  return collector.found;
}

// The caption of an image is parsed again for each image around it, so the depth is bounded.
const parser = new MarkdownIt("zero", { maxNesting: 16 });
parser.inline.ruler.enable(["escape", "backticks", "link", "image", "autolink"]);
for (const name of ["link", "image", "autolink"]) parser.inline.ruler.at(name, located(name));
parser.inline.ruler.before("link", "citation", located(parseCitation));
parser.inline.ruler.before("autolink", "tag", located(parseTag));
// Addresses are checked where they are used, and must stay as the provider wrote them.
parser.validateLink = () => true;
parser.normalizeLink = (url) => url;

/** A rule of the parser: whether it read something at the state's position, silently or into tokens. */
type InlineRule = (state: StateInline, silent: boolean) => boolean;

/** A rule that notes where its first token begins: in the state's text, in UTF-16 code units. */
function located(rule: InlineRule | string): InlineRule {
  const parse = typeof rule === "string" ? ruleOf(rule) : rule;
  return (state, silent) => {
    const { pos, tokens, pending } = state;
    const first = tokens.length + (pending === "" ? 0 : 1);
    if (!parse(state, silent)) return false;
    const token = silent ? undefined : tokens[first];
    if (token !== undefined) token.meta = { at: pos };
    return true;
  };
}

/** A rule that the parser comes with. */
function ruleOf(name: string): InlineRule {
  const { ruler } = new MarkdownIt().inline;
  ruler.enableOnly([name]);
  const [rule] = ruler.getRules("");
  if (rule === undefined) throw new RangeError(`there is no rule ${name}`);
  return rule;
}

class InlineCollector {
  readonly found: InlineReference[] = [];
  /** The line's text so far, without markup. */
  #text = "";
  /** Links and tags that are not closed yet, by what closes them, the innermost last. `start` is where their text begins. */
  readonly #open = new Map<string, { readonly reference: InlineReference; readonly start: number }[]>();

  /** `offset` is where the tokens' text begins in the line. */
  collect(tokens: readonly Token[], offset = 0): void {
    for (const token of tokens) {
      const at = offset + Number(token.meta?.at ?? 0);
      if (token.type === "link_open") {
        this.#begin("](", { kind: "link", href: `${token.attrGet("href") ?? ""}`, text: "", at });
      } else if (token.type === "link_close") this.#end("](");
      else if (token.type === "tag") this.#addTag(token.content, at);
      // The caption of an image, after `![`.
      else if (token.children !== null) this.collect(token.children, at + 2);
      else this.#text += token.content;
    }
  }

  #addTag(source: string, at: number): void {
    const tag = tagAt(source, 0);
    if (tag === null) return;
    if (tag.closing) this.#end(tag.name);
    if (tag.name === "br") this.#text += " ";
    const reference: InlineReference = { kind: "tag", tag, text: "", at };
    if (tag.closing || source.endsWith("/>")) this.found.push(reference);
    else this.#begin(tag.name, reference);
  }

  #begin(closedBy: string, reference: InlineReference): void {
    this.found.push(reference);
    const open = this.#open.get(closedBy) ?? [];
    open.push({ reference, start: this.#text.length });
    this.#open.set(closedBy, open);
  }

  #end(closedBy: string): void {
    const open = this.#open.get(closedBy)?.pop();
    if (open !== undefined) open.reference.text = this.#text.slice(open.start);
  }
}

const citationPattern = /\[\^([^[\]\s]+)\]/y;

/** `[^address]`: a citation. */
function parseCitation(state: StateInline, silent: boolean): boolean {
  citationPattern.lastIndex = state.pos;
  const match = citationPattern.exec(state.src);
  const address = match?.[1];
  if (address === undefined || citationPattern.lastIndex > state.posMax) return false;
  if (!silent) {
    const href = address.replaceAll(/\\([!-/:-@[-`{-~])/g, "$1");
    state.push("link_open", "a", 1).attrs = [["href", href]];
    state.push("link_close", "a", -1);
  }
  state.pos = citationPattern.lastIndex;
  return true;
}

function parseTag(state: StateInline, silent: boolean): boolean {
  const tag = tagAt(state.src, state.pos);
  if (tag === null || tag.end > state.posMax) return false;
  if (!silent) state.push("tag", "", 0).content = state.src.slice(state.pos, tag.end);
  state.pos = tag.end;
  return true;
}
