import { Ends } from "./ends.ts";
import { HtmlLines } from "./html-lines.ts";
import { OutputLine } from "./output-line.ts";
import { type Flavour, matchAt, type Region, readHeadingId, readWholeLines } from "./regions.ts";
import {
  escapeAttribute,
  isBlockElement,
  isHtmlElement,
  isOpaque,
  readTag,
  type Tag,
  unescapeEntities,
} from "./tag.ts";

/**
 * Rewrites a source for a Markdown parser that knows only inline tags: each tag on one line, and those of block elements
 * on separate lines, so that the content of elements is parsed as Markdown. Removes comments, imports, exports and the
 * ids of headings, and turns `$$` fences and `<pre>` into code blocks. Never fails.
 */
export function prepare(text: string, flavour: Flavour): string {
  const source = withoutShortcodes(text);
  const pieces: string[] = [];
  const line = new OutputLine();
  const around = { line, flavour, ends: new Ends(source) };
  const html = new HtmlLines(source);
  let place = 0;
  while (place < source.length) {
    const isStart = place === 0 || source.charAt(place - 1) === "\n";
    const region =
      (line.isEmpty ? readWholeLines(source, place, flavour) : null) ??
      (isStart ? html.readIndent(place) : null) ??
      readInline(source, place, around);
    pieces.push(region.text);
    line.append(region.text);
    place = region.end;
  }
  return pieces.join("");
}

/** A shortcode of Hugo that refers to a page, where an address stands: `{{< relref "page.md" >}}`, `{{% ref path="page" %}}`. */
const reference = /(\]\(\s*<?|\]:[ \t]*<?|=["'])\{\{[<%]\s*(?:rel)?ref\s([^\n{}]*)[>%]\}\}>?/g;
/** The page that a shortcode names: the first of its parameters. */
const named = /^(?:path=)?(?:(["'`])([^"'`<>]+)\1|([^"'`<>\s]+))(?=\s|$)/;

/** An address with other shortcodes in it: `[name]: https://x.example/{{< param version >}}`. */
const address = /(\]\(\s*|^ {0,3}\[[^[\]\n]+\]:[ \t]*)((?:[^\s(){}<>]*\{\{[<%][^\n{}]*[>%]\}\})+)/gm;

/**
 * Replaces Hugo's references by paths, in angle brackets where Markdown allows them. Other shortcodes in an address lose their spaces,
 * with which it would be none, nor would the definitions of links below it (CommonMark, section 4.7).
 */
function withoutShortcodes(source: string): string {
  if (!source.includes("{{")) return source;
  const referring = source.replace(reference, (whole, before: string, parameters: string) => {
    const match = named.exec(parameters.trim());
    const target = match?.[2] ?? match?.[3];
    if (target === undefined) return whole;
    return before.startsWith("=")
      ? before + escapeAttribute(target)
      : `${before.replace(/<$/, "")}<${target}>`;
  });
  return referring.replace(
    address,
    (_, before: string, target: string) => before + target.replace(/\s/g, "%20"),
  );
}

interface InlineContext {
  readonly line: OutputLine;
  readonly flavour: Flavour;
  readonly ends: Ends;
}

const uninteresting = /[^`<{[\\\n]*\n?/y;

/** `[[What is <b>]]`: what stands between the brackets is a name, in which nothing is a tag. */
const wikiLink = /\[\[[^[\]\n]+\]\]/y;

function readInline(source: string, place: number, around: InlineContext): Region {
  return (
    readCodeSpan(source, place, around.ends) ??
    readWikiLink(source, place) ??
    readOwnId(source, place, around) ??
    readComment(source, place, around) ??
    readElement(source, place, around) ??
    readPlain(source, place)
  );
}

function readPlain(source: string, place: number): Region {
  const escaped = source.charAt(place) === "\\" && source.charAt(place + 1) !== "\n";
  const length = escaped ? 2 : Math.max(1, matchAt(uninteresting, source, place)?.[0].length ?? 1);
  return { text: source.slice(place, place + length), end: place + length };
}

function readCodeSpan(source: string, place: number, ends: Ends): Region | null {
  const run = matchAt(/`+/y, source, place)?.[0];
  if (run === undefined) return null;
  const end = ends.ofCodeSpan(place, run) ?? place + run.length;
  return { text: source.slice(place, end), end };
}

function readWikiLink(source: string, place: number): Region | null {
  const text = source.charAt(place) === "[" ? matchAt(wikiLink, source, place)?.[0] : undefined;
  return text === undefined ? null : { text, end: place + text.length };
}

function readComment(source: string, place: number, { flavour, ends }: InlineContext): Region | null {
  if (source.startsWith("<!--", place)) {
    const end = ends.ofComment(place);
    return end === null ? { text: "&lt;", end: place + 1 } : { text: "", end };
  }
  if (flavour === "md" || source.charAt(place) !== "{") return null;
  const end = ends.ofNote(place);
  if (end !== null) return { text: "", end };
  const text = matchAt(/\{\s*(["'`])([^"'`\n]*)\1\s*\}/y, source, place);
  return text === null ? null : { text: text[2] ?? "", end: place + text[0].length };
}

function readOwnId(source: string, place: number, around: InlineContext): Region | null {
  const isCandidate = source.charAt(place) === "{" && !isLiteralPlace(around);
  return isCandidate ? readHeadingId(source, place, () => around.line.text()) : null;
}

function readElement(source: string, place: number, around: InlineContext): Region | null {
  if (source.charAt(place) !== "<" || isLiteralPlace(around)) return null;
  const { line, ends } = around;
  const tag = readTag(source, place, ends.braces);
  if (tag === null) return null;
  const known = isHtmlElement(tag.name) || tag.kind !== "open" || ends.hasEndTag(tag);
  if (!known) return { text: `&lt;${source.slice(place + 1, tag.end)}`, end: tag.end };
  if (isOpaque(tag.name)) return { text: "", end: ends.ofElement(tag) };
  if (tag.name === "pre" && tag.kind === "open") return readPreformatted(source, tag, around);
  if (!isBlockElement(tag.name) || !line.isBlank) return { text: tagText(tag), end: tag.end };
  return { text: `\n${line.indent}${tagText(tag)}\n\n${line.indent}`, end: tag.end };
}

/** Whether a sign has no meaning of its own here: in indented code, or in the target of a link. */
function isLiteralPlace({ line, flavour }: InlineContext): boolean {
  return (flavour === "md" && line.isIndented) || line.opensTarget;
}

/** Writes a tag on one line, with characters that CommonMark allows (section 6.6). */
function tagText(tag: Tag): string {
  const name = tag.name.replace(/[^A-Za-z0-9-]/g, "-");
  if (tag.kind === "close") return `</${name}>`;
  const attributes = Object.entries(tag.attributes).map(
    ([key, value]) => ` ${key}="${escapeAttribute(value)}"`,
  );
  return `<${name}${attributes.join("")}${tag.kind === "empty" ? " /" : ""}>`;
}

function readPreformatted(source: string, tag: Tag, { line, ends }: InlineContext): Region {
  const end = ends.ofElement(tag);
  const content = source.slice(tag.end, end).replace(/<\/pre\s*>$/i, "");
  const { class: names, className = names } = readTag(content.trimStart(), 0)?.attributes ?? {};
  const language = /language-([\w+-]+)/.exec(className ?? "")?.[1] ?? "";
  const code = unescapeEntities(content.replace(/<\/?[A-Za-z][^<>]*>/g, "")).replace(/^\n/, "");
  const lines = [`~~~~${language}`, ...code.trimEnd().split("\n"), "~~~~"].map((text) => line.indent + text);
  return { text: `\n\n${lines.join("\n")}\n\n`, end };
}
