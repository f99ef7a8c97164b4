import type { Link, Marks, MentionSpan, Span, TextSpan } from "../document/span.ts";
import { addressOfLink } from "./rich-text.ts";
import type { View } from "./view.ts";

/** Rich text in the provider's Markdown, on one line. */
export function inlineMarkdown(spans: readonly Span[], view: View): string {
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

/** Where the spans of one link end. */
function endOfLink(spans: readonly Span[], start: number, link: Link): number {
  const end = spans.findIndex((span, index) => index > start && linkOf(span) !== link);
  return end === -1 ? spans.length : end;
}

function linked(words: string, address: string): string {
  const [, before = "", core = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words) ?? [];
  return `${before}[${core}](${linkTarget(address)})${after}`;
}

/** Text with the characters escaped that mean something outside of code. */
export function escapeMarkdown(words: string): string {
  return words.replace(/[\\*~`$[\]<>{}|^]/g, "\\$&").replaceAll("\n", "<br>");
}

/** A title between two tags. */
export function escapeTagText(words: string): string {
  return escapeMarkdown(words.replace(/\s+/g, " "));
}

function mention(span: MentionSpan, view: View): string {
  const tag = `mention-${span.of}`;
  const words = escapeTagText(span.alias ?? view.titleOf(span.id));
  return marked(`<${tag} url="${view.addresses.ofId(span.id)}">${words}</${tag}>`, span.marks);
}

function text({ text: words, marks }: TextSpan): string {
  const [, before = "", core = "", after = ""] = /^(\s*)(.*?)(\s*)$/s.exec(words) ?? [];
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
export function linkTarget(target: string): string {
  return target
    .replace(/[\s<>\\]/g, encodeURIComponent)
    .replaceAll("(", "%28")
    .replaceAll(")", "%29");
}
