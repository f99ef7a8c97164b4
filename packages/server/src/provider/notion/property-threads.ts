import type { HeldThreads } from "../port.ts";
import { notionDialect } from "./dialect.ts";
import { idAt, listAt, textAt } from "./json.ts";
import { tallyRichText } from "./rich-text.ts";
import { createThreadTally, type ThreadTally } from "./thread-tally.ts";

/**
 * Counts the threads that a property holds: the targets of a relation under the property's name, mentions and
 * hyperlinks in text, and an address that is a page's. Formulas and rollups repeat what other properties and pages
 * hold, and have none of their own.
 */
export function tallyProperty(name: string, property: unknown, tally: ThreadTally): void {
  const type = textAt(property, "type");
  switch (type) {
    case "relation":
      for (const target of listAt(property, "relation")) {
        const targetId = idAt(target, "id");
        if (targetId !== null) tally.relation(targetId, name);
      }
      return;
    case "title":
    case "rich_text":
      tallyRichText(listAt(property, type), tally);
      return;
    case "url":
      tally.link(textAt(property, "url") ?? "");
      return;
  }
}

/** The threads that one property holds. */
export function threadsOfProperty(name: string, property: unknown, dialect = notionDialect): HeldThreads {
  const tally = createThreadTally(dialect);
  tallyProperty(name, property, tally);
  return tally.held();
}
