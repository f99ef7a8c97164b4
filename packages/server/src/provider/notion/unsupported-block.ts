import { idAt, listAt, textAt } from "./json.ts";
import { childLine, linkLine, mentionLine } from "./markdown/write.ts";
import { plainText, richTextLine } from "./rich-text.ts";

/**
 * A block that the page's Markdown leaves out, as a line of it: a bookmark, embed or link preview as the hyperlink
 * that it is, a link to a page as a mention, a page or database of the page's own as such, any other by its text. Null
 * where the block says nothing.
 * https://developers.notion.com/reference/block
 */
export function lineOfBlock(block: unknown): string | null {
  const type = textAt(block, "type");
  switch (type) {
    case null:
      return null;
    case "link_to_page": {
      const page = idAt(block, type, "page_id");
      const database = idAt(block, type, "database_id");
      if (page !== null) return mentionLine("page", page);
      return database === null ? null : mentionLine("database", database);
    }
    case "child_page":
    case "child_database": {
      const id = idAt(block, "id");
      const kind = type === "child_page" ? "page" : "database";
      return id === null ? null : childLine(kind, id, textAt(block, type, "title") ?? "");
    }
    default: {
      const address = textAt(block, type, "url");
      if (address === null || address === "") return richTextLine(listAt(block, type, "rich_text")) || null;
      return linkLine(plainText(listAt(block, type, "caption")) || address, address);
    }
  }
}
