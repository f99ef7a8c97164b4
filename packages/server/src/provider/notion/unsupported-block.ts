import { optionalList, optionalText, requiredId, requiredObject, requiredText } from "./json.ts";
import { childLine, linkLine, mentionLine } from "./markdown/write.ts";
import { plainText, richTextLine } from "./rich-text.ts";
import { UnsupportedTypeError } from "./unsupported-type.ts";

/**
 * A block that the page's Markdown leaves out, as a line of it: a bookmark, embed or link preview as the hyperlink
 * that it is, a link to a page as a mention, a page or database of the page's own as such, any other by its text. Null
 * where the block says nothing. Throws `UnreadableError`, and `UnsupportedTypeError` for a block of a type that is new,
 * or that the provider itself does not show.
 * https://developers.notion.com/reference/block
 */
export function lineOfBlock(block: unknown): string | null {
  const type = requiredText(block, "type");
  if (type === "unsupported") throw new UnsupportedTypeError(type);
  requiredObject(block, type);
  switch (type) {
    case "link_to_page":
      return lineOfLink(block, type);
    case "child_page":
    case "child_database": {
      const kind = type === "child_page" ? "page" : "database";
      return childLine(kind, requiredId(block, "id"), optionalText(block, type, "title") ?? "");
    }
    default:
      return lineOfWords(block, type);
  }
}

function lineOfLink(block: unknown, type: string): string | null {
  const to = requiredText(block, type, "type");
  switch (to) {
    case "page_id":
      return mentionLine("page", requiredId(block, type, to));
    case "database_id":
      return mentionLine("database", requiredId(block, type, to));
    case "comment_id":
      return null;
    default:
      throw new UnsupportedTypeError(`${type}.${to}`);
  }
}

/** Types of blocks that are nothing but an address. */
const addresses = new Set(["bookmark", "embed", "link_preview"]);

function lineOfWords(block: unknown, type: string): string | null {
  const address = addresses.has(type) ? requiredText(block, type, "url") : optionalText(block, type, "url");
  const words = optionalList(block, type, "rich_text");
  // The Markdown leaves it out, and it has no words that could stand there.
  if (address === null && words === null) throw new UnsupportedTypeError(type);
  if (address === null || address === "") return richTextLine(words ?? []) || null;
  return linkLine(plainText(optionalList(block, type, "caption") ?? []) || address, address);
}
