import type { NodeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import { optionalObject, optionalText, requiredId, requiredText, textAt } from "./json.ts";
import { withoutExpiringUrls } from "./lasting-url.ts";
import { linkLine, mentionLine, plainLine } from "./markdown/write.ts";
import type { ReferenceTally } from "./reference-tally.ts";

/*
 * Rich text, which throws `UnreadableError` where a piece has no text, or leads somewhere that cannot be read. A kind of
 * mention that is new is its text.
 */

/** The plain text of rich text. https://developers.notion.com/reference/rich-text */
export function plainText(items: readonly unknown[]): string {
  return withoutExpiringUrls(items.map((item) => requiredText(item, "plain_text")).join(""));
}

/** Counts the mentions and hyperlinks in rich text that name a page or database. */
export function tallyRichText(items: readonly unknown[], tally: ReferenceTally): void {
  // A link whose text changes its style is cut into several items, and is one link.
  let link = "";
  let linked = "";
  for (const item of items) {
    const mentioned = mentionedBy(item);
    const href = mentioned === null ? (linkOf(item) ?? "") : "";
    const text = requiredText(item, "plain_text");
    if (mentioned !== null) tally.mention(mentioned.id, mentioned.type, text);
    if (href !== link) {
      tally.link(link, linked);
      linked = "";
    }
    link = href;
    linked += text;
  }
  tally.link(link, linked);
}

/** Rich text as one line of the provider's Markdown: its words, hyperlinks, and mentions of pages and databases. */
export function richTextLine(items: readonly unknown[]): string {
  return items.map(pieceOf).join("");
}

function pieceOf(item: unknown): string {
  const mentioned = mentionedBy(item);
  if (mentioned !== null) return mentionLine(mentioned.type, mentioned.id);
  const text = requiredText(item, "plain_text");
  const link = linkOf(item);
  return link === null ? plainLine(text) : linkLine(text, link);
}

function mentionedBy(item: unknown): { id: NodeId; type: NodeType } | null {
  const type = textAt(item, "mention", "type");
  if (type !== "page" && type !== "database") return null;
  return { id: requiredId(item, "mention", type, "id"), type };
}

function linkOf(item: unknown): string | null {
  // Null where the text is no link.
  optionalObject(item, "text", "link");
  return (
    optionalText(item, "text", "link", "url") ??
    optionalText(item, "mention", "link_mention", "href") ??
    optionalText(item, "mention", "link_preview", "url") ??
    optionalText(item, "href")
  );
}
