import type { NodeId } from "@clew/graph";
import type { ShownTitle } from "@clew/provider";
import { proseLines } from "@clew/text";
import { oneLine } from "@clew/text/basics";
import type { TextAddresses } from "./addresses.ts";
import { inlineReferences } from "./parse.ts";
import { targetOf } from "./references.ts";

/** Tags whose text is the title of what their address opens. */
const titleTags = new Set(["page", "database", "mention-page", "mention-database", "mention-data-source"]);

/** A line without such a tag needs no parser. */
const mayShowTitle = /<(?:page|database|mention-)/i;

/** The name that the provider shows of a page without a title. */
const untitled = "Untitled";

/** A title between two tags: in one line, without styles. */
interface TitleSpan extends ShownTitle {
  /** Its place in the whole text, in UTF-16 code units. */
  readonly start: number;
  readonly end: number;
}

/** The titles that a text shows of pages and databases, each once. */
export function shownTitles(markdown: string, addresses: TextAddresses): ShownTitle[] {
  const distinct = new Map<string, ShownTitle>();
  for (const { id, title } of titleSpans(markdown, addresses)) distinct.set(`${id} ${title}`, { id, title });
  return [...distinct.values()];
}

/** A text with these titles in place of those that it shows. A title that it shows already stays as it is written. */
export function withTitles(
  markdown: string,
  titles: ReadonlyMap<NodeId, string>,
  addresses: TextAddresses,
): string {
  const pieces: string[] = [];
  let copied = 0;
  for (const { id, title, start, end } of titleSpans(markdown, addresses)) {
    const wanted = titles.get(id);
    if (wanted === undefined || inOneLine(wanted) === title) continue;
    pieces.push(markdown.slice(copied, start), escaped(inOneLine(wanted)));
    copied = end;
  }
  return pieces.length === 0 ? markdown : [...pieces, markdown.slice(copied)].join("");
}

function* titleSpans(markdown: string, addresses: TextAddresses): Generator<TitleSpan> {
  if (!mayShowTitle.test(markdown)) return;
  for (const line of proseLines(markdown)) {
    if (!mayShowTitle.test(line.text)) continue;
    const found = inlineReferences(line.text);
    for (const [index, opening] of found.entries()) {
      const closing = found[index + 1];
      if (opening.kind !== "tag" || closing?.kind !== "tag") continue;
      const { name, attributes } = opening.tag;
      const start = opening.at + opening.tag.end;
      const isOpen = !line.text.startsWith("/>", start - 2);
      const isClosed = isOpen && closing.tag.closing && closing.tag.name === name;
      // A folder's author may call a page by another name, which is no title.
      if (!titleTags.has(name) || !isClosed || attributes.get("alias") === "true") continue;
      const id = targetOf(opening.tag, addresses);
      if (id === null) continue;
      const title = inOneLine(withoutStyle(opening.text));
      yield { id, title, start: line.start + start, end: line.start + closing.at };
    }
  }
}

const inOneLine = (title: string): string => oneLine(title) || untitled;

function withoutStyle(text: string): string {
  return text.replace(/^(\*{1,3}|~~)(.+)\1$/u, "$2");
}

/** Text in one line, in which nothing is markup. */
export function escaped(text: string): string {
  return text.replaceAll(/[\\*~`$[\]<>{}|^]/g, "\\$&").replaceAll(/\s+/g, " ");
}
