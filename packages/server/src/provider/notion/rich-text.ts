import { idAt, textAt } from "./json.ts";
import { withoutExpiringUrls } from "./lasting-url.ts";
import { linkLine, mentionLine, plainLine } from "./markdown/write.ts";
import type { ThreadTally } from "./thread-tally.ts";

/** The plain text of rich text. https://developers.notion.com/reference/rich-text */
export function plainText(items: readonly unknown[]): string {
  return withoutExpiringUrls(items.map((item) => textAt(item, "plain_text") ?? "").join(""));
}

/** Counts the mentions and hyperlinks in rich text that name a page or database. */
export function tallyRichText(items: readonly unknown[], tally: ThreadTally): void {
  let linkBefore: string | null = null;
  for (const item of items) {
    const page = idAt(item, "mention", "page", "id");
    const database = idAt(item, "mention", "database", "id");
    const link = page === null && database === null ? linkOf(item) : null;
    if (page !== null) tally.mention(page, "page");
    if (database !== null) tally.mention(database, "database");
    // A link whose text changes its style is cut into several items, and is one link.
    if (link !== null && link !== linkBefore) tally.link(link);
    linkBefore = link;
  }
}

/** Rich text as one line of the provider's Markdown: its words, hyperlinks, and mentions of pages and databases. */
export function richTextLine(items: readonly unknown[]): string {
  return items.map(pieceOf).join("");
}

function pieceOf(item: unknown): string {
  const page = idAt(item, "mention", "page", "id");
  const database = idAt(item, "mention", "database", "id");
  if (page !== null) return mentionLine("page", page);
  if (database !== null) return mentionLine("database", database);
  const text = textAt(item, "plain_text") ?? "";
  const link = linkOf(item);
  return link === null ? plainLine(text) : linkLine(text, link);
}

function linkOf(item: unknown): string | null {
  return (
    textAt(item, "text", "link", "url") ??
    textAt(item, "mention", "link_mention", "href") ??
    textAt(item, "mention", "link_preview", "url") ??
    textAt(item, "href")
  );
}
