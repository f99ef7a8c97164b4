import type { HeldReferences } from "../port.ts";
import { notionDialect } from "./dialect.ts";
import { optionalText, requiredId, requiredList, textAt } from "./json.ts";
import { createReferenceTally, type ReferenceTally } from "./reference-tally.ts";
import { tallyRichText } from "./rich-text.ts";

/**
 * Counts the references that a property holds: the targets of a relation under the property's name, mentions and
 * hyperlinks in text, and an address that is a page's. Formulas and rollups repeat what other properties and pages
 * hold, and have none of their own. Throws `UnreadableError`.
 */
function tallyProperty(name: string, property: unknown, tally: ReferenceTally): void {
  const type = textAt(property, "type");
  switch (type) {
    case "relation":
      for (const at of requiredList(property, type).keys())
        tally.relation(requiredId(property, type, at, "id"), name);
      return;
    case "title":
    case "rich_text":
      tallyRichText(requiredList(property, type), tally);
      return;
    case "url":
      tally.link(optionalText(property, type) ?? "", "");
      return;
  }
}

/** The references that one property holds. */
export function referencesOfProperty(
  name: string,
  property: unknown,
  dialect = notionDialect,
): HeldReferences {
  const tally = createReferenceTally(dialect);
  tallyProperty(name, property, tally);
  return tally.held();
}
