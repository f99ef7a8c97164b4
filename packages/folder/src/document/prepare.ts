import { endOfMatch, type Flavour, matchAt, type Region, readHeadingId, readWholeLines } from "./regions.ts";
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
  const lastClosing = closingTags(source);
  let line = "";
  let place = 0;
  while (place < source.length) {
    const region =
      (line === "" ? readWholeLines(source, place, flavour) : null) ??
      readInline(source, place, { line, flavour, lastClosing });
    pieces.push(region.text);
    const newline = region.text.lastIndexOf("\n");
    line = newline === -1 ? line + region.text : region.text.slice(newline + 1);
    place = region.end;
  }
  return pieces.join("");
}

/** References in Hugo: `{{< relref "page.md" >}}`, `{{% ref path="page" %}}`. */
const reference =
  /(\]\(\s*<?|\]:[ \t]*<?|=["'])\{\{([<%])\s*(?:rel)?ref\s+(?:path=)?(["'`]?)([^"'`\n<>]+?)\3(?:\s[^"\n]*?)?\s*[>%]\}\}>?/g;

/** Replaces Hugo's references by paths, in angle brackets where Markdown allows them. */
function withoutShortcodes(source: string): string {
  if (!source.includes("{{")) return source;
  return source.replace(reference, (_, before: string, _kind, _quote, target: string) =>
    before.startsWith("=") ? before + escapeAttribute(target) : `${before.replace(/<$/, "")}<${target}>`,
  );
}

interface InlineContext {
  /** The current output line so far. */
  readonly line: string;
  readonly flavour: Flavour;
  readonly lastClosing: ReadonlyMap<string, number>;
}

const uninteresting = /[^`<{\\\n]*\n?/y;

function readInline(source: string, place: number, around: InlineContext): Region {
  return (
    readCodeSpan(source, place) ??
    readOwnId(source, place, around) ??
    readComment(source, place, around.flavour) ??
    readElement(source, place, around) ??
    readPlain(source, place)
  );
}

function readPlain(source: string, place: number): Region {
  const escaped = source.charAt(place) === "\\" && source.charAt(place + 1) !== "\n";
  const length = escaped ? 2 : Math.max(1, matchAt(uninteresting, source, place)?.[0].length ?? 1);
  return { text: source.slice(place, place + length), end: place + length };
}

function readCodeSpan(source: string, place: number): Region | null {
  const run = matchAt(/`+/y, source, place)?.[0];
  if (run === undefined) return null;
  const paragraphEnd = endOfMatch(/\n[ \t]*(?=\n|$)/g, source, place) ?? source.length;
  const rest = source.slice(place + run.length, paragraphEnd);
  const closing = new RegExp(`(?<!\`)${run}(?!\`)`).exec(rest);
  const end = place + run.length + (closing === null ? 0 : closing.index + run.length);
  return { text: source.slice(place, end), end };
}

function readComment(source: string, place: number, flavour: Flavour): Region | null {
  if (source.startsWith("<!--", place)) {
    const end = source.indexOf("-->", place);
    return end === -1 ? { text: "&lt;", end: place + 1 } : { text: "", end: end + 3 };
  }
  if (flavour === "md" || source.charAt(place) !== "{") return null;
  const note = matchAt(/\{\s*\/\*[\s\S]*?\*\/\s*\}/y, source, place);
  if (note !== null) return { text: "", end: place + note[0].length };
  const text = matchAt(/\{\s*(["'`])([^"'`\n]*)\1\s*\}/y, source, place);
  return text === null ? null : { text: text[2] ?? "", end: place + text[0].length };
}

function readOwnId(source: string, place: number, around: InlineContext): Region | null {
  const isCandidate = source.charAt(place) === "{" && !isLiteralPlace(around);
  return isCandidate ? readHeadingId(source, place, around.line) : null;
}

function readElement(source: string, place: number, around: InlineContext): Region | null {
  if (source.charAt(place) !== "<" || isLiteralPlace(around)) return null;
  const tag = readTag(source, place);
  if (tag === null) return null;
  const known =
    isHtmlElement(tag.name) || tag.kind !== "open" || (around.lastClosing.get(tag.name) ?? -1) >= tag.end;
  if (!known) return { text: `&lt;${source.slice(place + 1, tag.end)}`, end: tag.end };
  if (isOpaque(tag.name)) return { text: "", end: endOfElement(source, tag) };
  if (tag.name === "pre" && tag.kind === "open") return readPreformatted(source, tag, around.line);
  if (!isBlockElement(tag.name) || around.line.trim() !== "") return { text: tagText(tag), end: tag.end };
  return { text: `\n${around.line}${tagText(tag)}\n\n${around.line}`, end: tag.end };
}

/** Whether a sign has no meaning of its own here: in indented code, or in the target of a link. */
function isLiteralPlace({ line, flavour }: InlineContext): boolean {
  return (flavour === "md" && /^(?: {4}|\t)/.test(line)) || /\](?:\(|:)\s*$/.test(line);
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

function endOfElement(source: string, tag: Tag): number {
  if (tag.kind !== "open") return tag.end;
  return endOfMatch(new RegExp(`</${tag.name}\\s*>`, "gi"), source, tag.end) ?? source.length;
}

function readPreformatted(source: string, tag: Tag, line: string): Region {
  const end = endOfElement(source, tag);
  const content = source.slice(tag.end, end).replace(/<\/pre\s*>$/i, "");
  const language = /<code[^>]*class(?:Name)?="[^"]*language-([\w+-]+)/.exec(content)?.[1] ?? "";
  const code = unescapeEntities(content.replace(/<\/?[A-Za-z][^>]*>/g, "")).replace(/^\n|\n\s*$/g, "");
  const indent = /^\s*/.exec(line)?.[0] ?? "";
  const lines = [`~~~~${language}`, ...code.split("\n"), "~~~~"].map((text) => indent + text);
  return { text: `\n\n${lines.join("\n")}\n\n`, end };
}

/** The index of the last end tag of each element. */
function closingTags(source: string): ReadonlyMap<string, number> {
  const places = new Map<string, number>();
  for (const match of source.matchAll(/<\/([A-Za-z][\w.:-]*)\s*>/g)) places.set(match[1] ?? "", match.index);
  return places;
}
