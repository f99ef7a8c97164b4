import type { NodeId } from "@clew/graph";
import { urlOfPage } from "../page-url.ts";

/*
 * Lines as the provider would have written them, for blocks that it leaves out of a page's Markdown.
 * https://developers.notion.com/guides/data-apis/enhanced-markdown
 */

/** Text that is nothing but text. */
export function plainLine(text: string): string {
  return text.replaceAll(/[\\*~`$[\]<>{}|^]/g, "\\$&").replaceAll(/\s+/g, " ");
}

/** A hyperlink. */
export function linkLine(label: string, address: string): string {
  return `[${plainLine(label)}](${address.replaceAll(/[\s()<>\\]/g, percentEncoded)})`;
}

/** A page or database that the text shows as its own. */
export function childLine(kind: "page" | "database", id: NodeId, title: string): string {
  return `<${kind} url="${urlOfPage(id)}">${plainLine(title)}</${kind}>`;
}

/** A mention of a page or database. */
export function mentionLine(kind: "page" | "database", id: NodeId): string {
  return `<mention-${kind} url="${urlOfPage(id)}"/>`;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
