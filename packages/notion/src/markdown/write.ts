import type { NodeId } from "@clew/graph";
import { escaped } from "@clew/provider-text";
import {
  optionalList,
  optionalText,
  requiredId,
  requiredObject,
  requiredText,
  textAt,
  UnsupportedTypeError,
} from "../json.ts";
import { linkOf, mentionOf, plainText } from "../rich-text.ts";
import { urlOfPage } from "../urls.ts";

/** Types of blocks that consist of an address. */
const addressBlocks = new Set(["bookmark", "embed", "link_preview"]);

/**
 * Writes a block that the page's Markdown leaves out as the line that the provider would write: a bookmark, embed or link
 * preview as a hyperlink, a link to a page as a mention, a child page or database as such, any other block as its text.
 * Null if the block has no text. Throws `UnreadableError`, and `UnsupportedTypeError` for a type that Clew does not know or
 * the provider's API does not give. https://developers.notion.com/reference/block
 */
export function lineOfBlock(block: unknown): string | null {
  const type = requiredText(block, "type");
  if (type === "unsupported") throw new UnsupportedTypeError(textAt(block, type, "block_type") || type);
  requiredObject(block, type);
  switch (type) {
    case "link_to_page":
      return lineOfPageLink(block, type);
    case "child_page":
    case "child_database": {
      const tag = type === "child_page" ? "page" : "database";
      const title = optionalText(block, type, "title") ?? "";
      return `<${tag} url="${urlOfPage(requiredId(block, "id"))}">${escaped(title)}</${tag}>`;
    }
    default:
      return lineOfText(block, type);
  }
}

function lineOfPageLink(block: unknown, type: string): string | null {
  const target = requiredText(block, type, "type");
  switch (target) {
    case "page_id":
      return mentionTag("page", requiredId(block, type, target));
    case "database_id":
      return mentionTag("database", requiredId(block, type, target));
    case "comment_id":
      return null;
    default:
      throw new UnsupportedTypeError(`${type}.${target}`);
  }
}

function lineOfText(block: unknown, type: string): string | null {
  const address = addressBlocks.has(type)
    ? requiredText(block, type, "url")
    : optionalText(block, type, "url");
  const items = optionalList(block, type, "rich_text");
  if (address === null && items === null) throw new UnsupportedTypeError(type);
  if (address === null || address === "") return richTextLine(items ?? []) || null;
  return link(plainText(optionalList(block, type, "caption") ?? []) || address, address);
}

/** Rich text as one line: its text, hyperlinks, and mentions of pages and databases. */
function richTextLine(items: readonly unknown[]): string {
  return items
    .map((item) => {
      const mention = mentionOf(item);
      if (mention !== null) return mentionTag(mention.type, mention.id);
      const text = requiredText(item, "plain_text");
      const address = linkOf(item);
      return address === null ? escaped(text) : link(text, address);
    })
    .join("");
}

function mentionTag(type: "page" | "database", id: NodeId): string {
  return `<mention-${type} url="${urlOfPage(id)}"/>`;
}

function link(label: string, address: string): string {
  return `[${escaped(label)}](${address.replaceAll(/[\s()<>\\]/g, percentEncoded)})`;
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
