import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import type { HeldReferences } from "../port.ts";
import { optionalText, requiredId, requiredList, requiredText, textAt } from "./json.ts";
import { linkOf, mentionOf, truncated } from "./rich-text.ts";
import { notionDialect, pageOfUrl } from "./urls.ts";

/** Counts references: each combination of type, target and name once, with the number of its occurrences. */
export interface ReferenceTally {
  /** A hyperlink, which counts if it opens a page. */
  link(href: string, text: string): void;
  /** A mention with the title that it shows. `type` is null if the provider does not give it. */
  mention(targetId: NodeId, type: NodeType | null, title: string): void;
  /** The mentions and hyperlinks in rich text. Throws `UnreadableError`. */
  richText(items: readonly unknown[]): void;
  /**
   * The references in a property: targets of a relation, with the property's name; mentions and hyperlinks in text; an
   * address. Formulas and rollups only repeat references of other properties and pages. Throws `UnreadableError`.
   */
  property(name: string, property: unknown): void;
  include(held: HeldReferences): void;
  /** The references so far, in the order of their first occurrence. */
  held(): HeldReferences;
}

/** The most code points of a link's text. */
const maxNameLength = 200;

/** The text of a link without its Markdown styles; undefined if it is empty. */
export function referenceName(text: string): string | undefined {
  // Bounded first, because a text may contain many names inside one another.
  const words = text
    .slice(0, 10 * maxNameLength)
    .replaceAll(/\s+/g, " ")
    .trim();
  const plain = words.replace(/^(\*{1,3}|~~)(.+)\1$/u, "$2").trim();
  return plain === "" ? undefined : truncated(plain, maxNameLength);
}

function named(text: string): Pick<Reference, "targetName"> {
  const targetName = referenceName(text);
  return targetName === undefined ? {} : { targetName };
}

const single = { name: null, count: 1 };

export function createReferenceTally(dialect = notionDialect): ReferenceTally {
  const references = new Map<string, Reference>();
  const mentioned = new Map<NodeId, NodeType>();

  const add = (reference: Reference) => {
    const key = JSON.stringify([reference.type, reference.targetId, reference.name]);
    const before = references.get(key);
    references.set(key, { ...reference, ...before, count: reference.count + (before?.count ?? 0) });
  };

  const tally: ReferenceTally = {
    link(href, text) {
      const targetId = pageOfUrl(href, dialect);
      // If the text is the address itself, it names nothing.
      if (targetId !== null) add({ ...single, type: "link", targetId, ...named(text === href ? "" : text) });
    },
    mention(targetId, type, title) {
      add({ ...single, type: "mention", targetId, ...named(title) });
      if (type !== null) mentioned.set(targetId, type);
    },
    richText(items) {
      // A link is split into several items where its style changes.
      let link = "";
      let linkText = "";
      for (const item of items) {
        const mention = mentionOf(item);
        const href = mention === null ? (linkOf(item) ?? "") : "";
        const text = requiredText(item, "plain_text");
        if (mention !== null) tally.mention(mention.id, mention.type, text);
        if (href !== link) {
          tally.link(link, linkText);
          linkText = "";
        }
        link = href;
        linkText += text;
      }
      tally.link(link, linkText);
    },
    property(name, property) {
      const type = textAt(property, "type");
      switch (type) {
        case "relation":
          for (const at of requiredList(property, type).keys()) {
            const targetId = requiredId(property, type, at, "id");
            add({ ...single, type: "relation", targetId, name });
            mentioned.set(targetId, "page");
          }
          return;
        case "title":
        case "rich_text":
          return tally.richText(requiredList(property, type));
        case "url":
          return tally.link(optionalText(property, type) ?? "", "");
      }
    },
    include(held) {
      for (const reference of held.references) add(reference);
      for (const { id, type } of held.mentioned) mentioned.set(id, type);
    },
    held: () => ({
      references: [...references.values()],
      mentioned: [...mentioned].map(([id, type]) => ({ id, type })),
    }),
  };
  return tally;
}
