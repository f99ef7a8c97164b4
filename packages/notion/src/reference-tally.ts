import { ReferenceTally } from "@clew/provider-text";
import { optionalText, requiredId, requiredList, requiredText, textAt } from "./json.ts";
import { linkOf, mentionOf } from "./rich-text.ts";
import { addressesIn, notionDialect } from "./urls.ts";

/** Counts references in Notion's rich text and properties. */
export class NotionReferenceTally extends ReferenceTally {
  constructor(dialect = notionDialect) {
    super(addressesIn(dialect));
  }

  /** The mentions and hyperlinks in rich text. Throws `UnreadableError`. */
  richText(items: readonly unknown[]): void {
    // A link is split into several items where its style changes.
    let link = "";
    let linkText = "";
    for (const item of items) {
      const mention = mentionOf(item);
      const href = mention === null ? (linkOf(item) ?? "") : "";
      const text = requiredText(item, "plain_text");
      if (mention !== null) this.mention(mention.id, mention.type, text);
      if (href !== link) {
        this.link(link, linkText);
        linkText = "";
      }
      link = href;
      linkText += text;
    }
    this.link(link, linkText);
  }

  /**
   * The references in a property: targets of a relation, with the property's name; mentions and hyperlinks in text; an
   * address, also of a file. Formulas and rollups only repeat references of other properties and pages. Throws `UnreadableError`.
   */
  property(name: string, property: unknown): void {
    const type = textAt(property, "type");
    if (type === "title" || type === "rich_text") this.richText(requiredList(property, type));
    if (type === "url") this.link(optionalText(property, type) ?? "", "");
    if (type === "files")
      for (const [at, file] of requiredList(property, type).entries())
        this.link(optionalText(property, type, at, "external", "url") ?? "", textAt(file, "name") ?? "");
    if (type !== "relation") return;
    for (const at of requiredList(property, type).keys())
      this.relation(requiredId(property, type, at, "id"), name);
  }
}
