import { idAt, listAt, textAt } from "./json.ts";
import { linkLine, mentionLine } from "./markdown/write.ts";
import { plainText } from "./rich-text.ts";

/**
 * A block that the page's Markdown leaves out, as a line of it: a bookmark, embed or link preview as the hyperlink
 * that it is, a link to a page as a mention. Null where the block leads nowhere.
 * https://developers.notion.com/reference/block
 */
export function lineOfBlock(block: unknown): string | null {
  const type = textAt(block, "type");
  if (type === null) return null;
  if (type === "link_to_page") {
    const page = idAt(block, type, "page_id");
    const database = idAt(block, type, "database_id");
    if (page !== null) return mentionLine("page", page);
    return database === null ? null : mentionLine("database", database);
  }
  const address = textAt(block, type, "url");
  if (address === null || address === "") return null;
  return linkLine(plainText(listAt(block, type, "caption")) || address, address);
}
