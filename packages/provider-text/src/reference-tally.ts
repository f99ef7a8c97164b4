import type { NodeType } from "@clew/contract";
import { combined, type NodeId, type Reference } from "@clew/graph";
import type { HeldReferences } from "@clew/provider";
import { oneLine } from "@clew/text/basics";
import type { TextAddresses } from "./addresses.ts";
import { truncated } from "./names.ts";

/** The most code points of a link's text. */
const maxNameLength = 200;

/** The text of a link without its Markdown styles; undefined if it is empty. */
export function referenceName(text: string): string | undefined {
  // Bounded first, because a text may contain many names inside one another.
  const words = oneLine(text.slice(0, 10 * maxNameLength));
  const plain = words.replace(/^(\*{1,3}|~~)(.+)\1$/u, "$2").trim();
  return plain === "" ? undefined : truncated(plain, maxNameLength);
}

function named(text: string): Pick<Reference, "targetName"> {
  const targetName = referenceName(text);
  return targetName === undefined ? {} : { targetName };
}

function located(offset: number | undefined): Pick<Reference, "offsets"> {
  return offset === undefined ? {} : { offsets: [offset] };
}

const single = { name: null, count: 1 };

/** Counts references: each combination of type, target and name once, with the number of its occurrences. */
export class ReferenceTally {
  readonly #addresses: Pick<TextAddresses, "pageOf">;
  readonly #references = new Map<string, Reference>();
  readonly #mentioned = new Map<NodeId, NodeType>();

  constructor(addresses: Pick<TextAddresses, "pageOf">) {
    this.#addresses = addresses;
  }

  /** A hyperlink, which counts if it opens a page. `offset`: where it begins in the text, if it is in one. */
  link(href: string, text: string, offset?: number): void {
    const targetId = this.#addresses.pageOf(href);
    // If the text is the address itself, it names nothing.
    const name = text === href ? "" : text;
    if (targetId !== null)
      this.#add({ ...single, type: "link", targetId, ...named(name), ...located(offset) });
  }

  /** A mention with the title that it shows. `type` is null if the provider does not give it. */
  mention(targetId: NodeId, type: NodeType | null, title: string, offset?: number): void {
    this.#add({ ...single, type: "mention", targetId, ...named(title), ...located(offset) });
    if (type !== null) this.#mentioned.set(targetId, type);
  }

  /** A target of a relation, by the name of the property. */
  relation(targetId: NodeId, name: string): void {
    this.#add({ ...single, type: "relation", targetId, name });
    this.#mentioned.set(targetId, "page");
  }

  include(held: HeldReferences): void {
    for (const reference of held.references) this.#add(reference);
    for (const { id, type } of held.mentioned) this.#mentioned.set(id, type);
  }

  /** The references so far, in the order of their first occurrence. */
  held(): HeldReferences {
    return {
      references: [...this.#references.values()],
      mentioned: [...this.#mentioned].map(([id, type]) => ({ id, type })),
    };
  }

  #add(reference: Reference): void {
    const key = JSON.stringify([reference.type, reference.targetId, reference.name]);
    const before = this.#references.get(key);
    this.#references.set(key, before === undefined ? reference : combined(before, reference));
  }
}
