import type { NodeType } from "@clew/contract";
import { combined, type NodeId, type Reference } from "@clew/graph";
import type { HeldReferences } from "@clew/provider";
import { oneLine } from "@clew/text/basics";
import { optionalText, requiredId, requiredList, requiredText, textAt } from "./json.ts";
import { linkOf, mentionOf, truncated } from "./rich-text.ts";
import { type Dialect, notionDialect, pageOfUrl } from "./urls.ts";

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
  readonly #dialect: Dialect;
  readonly #references = new Map<string, Reference>();
  readonly #mentioned = new Map<NodeId, NodeType>();

  constructor(dialect = notionDialect) {
    this.#dialect = dialect;
  }

  /** A hyperlink, which counts if it opens a page. `offset`: where it begins in the text, if it is in one. */
  link(href: string, text: string, offset?: number): void {
    const targetId = pageOfUrl(href, this.#dialect);
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
    for (const at of requiredList(property, type).keys()) {
      const targetId = requiredId(property, type, at, "id");
      this.#add({ ...single, type, targetId, name });
      this.#mentioned.set(targetId, "page");
    }
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
