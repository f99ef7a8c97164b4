import type { NodeType } from "@clew/contract";
import type { NodeId, Reference } from "@clew/graph";
import type { HeldReferences } from "../port.ts";
import { notionDialect } from "./dialect.ts";
import { pageOfUrl } from "./page-url.ts";
import { shortened } from "./shortened.ts";

/** Counts references: each type, target and name once, with its number of occurrences. */
export interface ReferenceTally {
  /** A hyperlink on a text, which counts where it opens a page. */
  link(href: string, text: string): void;
  /** A mention, of a page or database unless the provider does not tell, by the title that it shows. */
  mention(targetId: NodeId, type: NodeType | null, title: string): void;
  /** One target of a relation, which is a page. */
  relation(targetId: NodeId, property: string): void;
  /** What something else holds as well. */
  include(held: HeldReferences): void;
  /** The references so far, in the order of their first occurrence. */
  held(): HeldReferences;
}

/** The most code points of what a text calls a page. */
const maximumName = 200;

/** What a text calls a page, without the signs of its style; undefined where that is nothing. */
export function referenceName(text: string): string | undefined {
  // Much more than is kept, and no more: a text may hold many names within one another.
  const words = text
    .slice(0, 10 * maximumName)
    .replaceAll(/\s+/g, " ")
    .trim();
  const plain = words.replace(/^(\*{1,3}|~~)(.+)\1$/u, "$2").trim();
  return plain === "" ? undefined : shortened(plain, maximumName);
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
  return {
    link(href, text) {
      const targetId = pageOfUrl(href, dialect);
      // An address on itself names nothing.
      if (targetId !== null) add({ ...single, type: "link", targetId, ...named(text === href ? "" : text) });
    },
    mention(targetId, type, title) {
      add({ ...single, type: "mention", targetId, ...named(title) });
      if (type !== null) mentioned.set(targetId, type);
    },
    relation(targetId, property) {
      add({ ...single, type: "relation", targetId, name: property });
      mentioned.set(targetId, "page");
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
}
