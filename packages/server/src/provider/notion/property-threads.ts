import type { HeldThreads } from "../port.ts";
import { notionDialect } from "./dialect.ts";
import { optionalText, requiredId, requiredList, textAt } from "./json.ts";
import { tallyRichText } from "./rich-text.ts";
import { createThreadTally, type ThreadTally } from "./thread-tally.ts";

/**
 * Counts the threads that a property holds: the targets of a relation under the property's name, mentions and
 * hyperlinks in text, and an address that is a page's. Formulas and rollups repeat what other properties and pages
 * hold, and have none of their own. Throws `UnreadableError`.
 */
function tallyProperty(name: string, property: unknown, tally: ThreadTally): void {
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

/** The threads that one property holds. */
export function threadsOfProperty(name: string, property: unknown, dialect = notionDialect): HeldThreads {
  const tally = createThreadTally(dialect);
  tallyProperty(name, property, tally);
  return tally.held();
}
