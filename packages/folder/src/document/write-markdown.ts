import type { Entry } from "../workspace/entry.ts";
import type { Block, PlacedBlock } from "./block.ts";
import { codeLanguage } from "./code-language.ts";
import type { Link, Marks, MentionSpan, Span, TextSpan } from "./span.ts";

/** The addresses and titles of other pages, with which blocks are written. */
export interface PageNames {
  readonly addresses: Addresses;
  /** Null if it does not exist, or must not be shown. */
  entry(id: string): Pick<Entry, "kind"> | null;
  /** The title that a mention shows. */
  titleOf(id: string): string;
}

/** The addresses that links in texts have. */
export interface Addresses {
  /** The address of a page or database, without the title, which the reader may not know. */
  ofId(id: string): string;
  /** The address of a block in its page. */
  ofBlock(pageId: string, blockId: string): string;
}

/** The address that a link leads to. */
export function addressOfLink(link: Link, { addresses }: Pick<PageNames, "addresses">): string {
  return link.kind === "entry" ? addresses.ofId(link.id) + fragmentOf(link) : link.url;
}

/** The section of a page as the fragment of its address: the words of its heading. */
export function fragmentOf({ section }: { readonly section: string | null }): string {
  return section === null ? "" : `#${encodeURIComponent(section)}`;
}

/** Markdown, and the ids of blocks that were left out because there are too many. */
export interface EnhancedMarkdown {
  readonly markdown: string;
  readonly leftOut: readonly string[];
}

/**
 * Writes blocks as Notion's enhanced Markdown, one line for each block and one more tab for children
 * (https://developers.notion.com/guides/data-apis/enhanced-markdown). At most about `limit` blocks are written.
 */
export function enhancedMarkdown(
  page: Pick<Entry, "id">,
  blocks: readonly PlacedBlock[],
  view: PageNames,
  limit: number,
): EnhancedMarkdown {
  const lines: string[] = [];
  const leftOut: string[] = [];
  let written = 0;
  for (const placed of blocks) {
    const size = countBlocks(placed);
    // Child pages are always listed, because their text is not part of this page.
    if (placed.block.type !== "child" && written > 0 && written + size > limit) {
      leftOut.push(placed.id);
      continue;
    }
    written += size;
    lines.push(...linesOf(placed, page, view));
  }
  return { markdown: lines.join("\n"), leftOut };
}

function countBlocks(placed: PlacedBlock): number {
  return placed.children.reduce((count, child) => count + countBlocks(child), 1);
}

/** The lines of a block. */
function linesOf(placed: PlacedBlock, page: Pick<Entry, "id">, view: PageNames): string[] {
  const { block } = placed;
  if (block.type === "table") return tableLines(placed, view);
  if (block.type === "toggle") {
    const summary = `<summary>${inlineMarkdown(block.text, view)}</summary>`;
    return ["<details>", summary, ...childLines(placed, page, view), "</details>"];
  }
  if (block.type === "callout") {
    const text = block.text.length === 0 ? [] : [`\t${inlineMarkdown(block.text, view)}`];
    return [`<callout icon="${block.icon}">`, ...text, ...childLines(placed, page, view), "</callout>"];
  }
  return [...ownLines(placed, page, view), ...childLines(placed, page, view)];
}

function childLines({ children }: PlacedBlock, page: Pick<Entry, "id">, view: PageNames): string[] {
  return children.flatMap((child) => linesOf(child, page, view).map((line) => `\t${line}`));
}

function ownLines({ id, block }: PlacedBlock, page: Pick<Entry, "id">, view: PageNames): string[] {
  const inline = (prefix: string) => ("text" in block ? [prefix + inlineMarkdown(block.text, view)] : []);
  switch (block.type) {
    case "paragraph":
      return block.text.length === 0 ? ["<empty-block/>"] : inline("").map(escapeBlockMarker);
    case "heading":
      return inline(`${"#".repeat(block.level)} `);
    case "bulleted_list_item":
      return inline("- ");
    case "numbered_list_item":
      return inline(`${block.number}. `);
    case "to_do":
      return inline(`${block.number === null ? "-" : `${block.number}.`} [${block.checked ? "x" : " "}] `);
    case "quote":
      return inline("> ");
    case "divider":
      return ["---"];
    case "code":
      return codeLines(block.code, codeLanguage(block.language));
    case "equation":
      return ["$$", ...block.expression.split("\n"), "$$"];
    case "image":
      return [`![${escapeMarkdown(block.caption)}](${linkTarget(block.url)})`];
    case "child":
      return [childLine(block.id, view)];
    default:
      return [`<unknown url="${view.addresses.ofBlock(page.id, id)}" alt="${block.type}"/>`];
  }
}

/** A child page or database. */
function childLine(id: string, view: PageNames): string {
  const kind = view.entry(id)?.kind ?? "page";
  const inline = kind === "database" ? ' inline="false"' : "";
  return `<${kind} url="${view.addresses.ofId(id)}"${inline}>${escapeTagText(view.titleOf(id))}</${kind}>`;
}

function tableLines({ block, children }: PlacedBlock, view: PageNames): string[] {
  const header = block.type === "table" && block.hasHeader ? ' header-row="true"' : "";
  const cellsOf = (row: Block) => (row.type === "table_row" ? row.cells : []);
  const rows = children.flatMap((row) => [
    "<tr>",
    ...cellsOf(row.block).map((cell) => `<td>${inlineMarkdown(cell, view)}</td>`),
    "</tr>",
  ]);
  return [`<table${header}>`, ...rows, "</table>"];
}

/** The fence is longer than any fence inside the code. */
function codeLines(code: string, language: string): string[] {
  const runs = code.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(3, ...runs.map((run) => run.length + 1)));
  return [`${fence}${language}`, ...code.split("\n"), fence];
}

/** Escapes characters that would make a paragraph another kind of block. */
function escapeBlockMarker(line: string): string {
  return line.replace(/^([-+#:])|^(\d+)([.)])(?=\s|$)/, (_, marker, digits, point) =>
    marker === undefined ? `${digits}\\${point}` : `\\${marker}`,
  );
}

/** Writes rich text as Markdown, on one line. */
export function inlineMarkdown(spans: readonly Span[], view: PageNames): string {
  const pieces: string[] = [];
  for (let index = 0; index < spans.length; ) {
    const link = linkOf(spans[index]);
    const end = link === null ? index + 1 : endOfLink(spans, index, link);
    const words = spans
      .slice(index, end)
      .map((span) => (span.kind === "mention" ? mention(span, view) : text(span)));
    pieces.push(link === null ? words.join("") : linked(words.join(""), addressOfLink(link, view)));
    index = end;
  }
  return pieces.join("");
}

function linkOf(span: Span | undefined): Link | null {
  return span?.kind === "text" ? span.link : null;
}

/** The end of the spans of one link. */
function endOfLink(spans: readonly Span[], start: number, link: Link): number {
  const end = spans.findIndex((span, index) => index > start && linkOf(span) !== link);
  return end === -1 ? spans.length : end;
}

function linked(words: string, address: string): string {
  const { before, core, after } = trimmed(words);
  return `${before}[${core}](${linkTarget(address)})${after}`;
}

/** A text without the white space around it, and that white space. */
function trimmed(words: string) {
  const core = words.trim();
  const start = words.length - words.trimStart().length;
  return { before: words.slice(0, start), core, after: words.slice(start + core.length) };
}

/** Text with the characters escaped that mean something outside of code. */
function escapeMarkdown(words: string): string {
  return words.replace(/[\\*~`$[\]<>{}|^]/g, "\\$&").replaceAll("\n", "<br>");
}

/** A title between two tags. */
function escapeTagText(words: string): string {
  return escapeMarkdown(words.replace(/\s+/g, " "));
}

function mention(span: MentionSpan, view: PageNames): string {
  const tag = `mention-${span.of}`;
  const words = escapeTagText(span.alias ?? view.titleOf(span.id));
  // Notion shows titles alone. Words of the author's are marked, so that readers do not take them for a title.
  const alias = span.alias === null ? "" : ' alias="true"';
  return marked(
    `<${tag} url="${view.addresses.ofId(span.id)}${fragmentOf(span)}"${alias}>${words}</${tag}>`,
    span.marks,
  );
}

function text({ text: words, marks }: TextSpan): string {
  const { before, core, after } = trimmed(words);
  const set = marked(marks.code ? codeSpan(core) : escapeMarkdown(core), marks);
  return escapeMarkdown(before) + (core === "" ? "" : set) + escapeMarkdown(after);
}

function marked(words: string, { bold, italic, strikethrough, underline }: Marks): string {
  let set = words;
  if (underline) set = `<span underline="true">${set}</span>`;
  if (strikethrough) set = `~~${set}~~`;
  if (italic) set = `*${set}*`;
  if (bold) set = `**${set}**`;
  return set;
}

/** Code is literal; its delimiters are longer than any run of backticks in it (CommonMark, section 6.1). */
function codeSpan(code: string): string {
  const line = code.replaceAll("\n", " ");
  const runs = line.match(/`+/g) ?? [];
  const delimiter = "`".repeat(Math.max(0, ...runs.map((run) => run.length)) + 1);
  const space = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return delimiter + space + line + space + delimiter;
}

/** A target without the characters that would end it. */
function linkTarget(target: string): string {
  return target
    .replace(/[\s<>\\]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}
