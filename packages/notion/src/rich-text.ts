import type { NodeId } from "@clew/graph";
import { optionalObject, optionalText, requiredId, requiredText, textAt } from "./json.ts";
import { withoutExpiringUrls } from "./urls.ts";

/*
 * Rich text. Throws `UnreadableError` if an item has no text, or a link or mention that cannot be read. A mention of an
 * unknown kind counts as its text. https://developers.notion.com/reference/rich-text
 */

/** The text without styles, links and mentions. */
export function plainText(items: readonly unknown[]): string {
  return withoutExpiringUrls(items.map((item) => requiredText(item, "plain_text")).join(""));
}

/** The page or database that an item mentions; null if it mentions none. */
export function mentionOf(item: unknown): { id: NodeId; type: "page" | "database" } | null {
  const type = textAt(item, "mention", "type");
  if (type !== "page" && type !== "database") return null;
  return { id: requiredId(item, "mention", type, "id"), type };
}

/** The address that an item links to; null if it links to none. */
export function linkOf(item: unknown): string | null {
  // `link` is null in text without a link, and anything else must be an object.
  optionalObject(item, "text", "link");
  return (
    optionalText(item, "text", "link", "url") ??
    optionalText(item, "mention", "link_mention", "href") ??
    optionalText(item, "mention", "link_preview", "url") ??
    optionalText(item, "href")
  );
}
