import type { Definition, Nodes } from "mdast";
import type { LinkFault, Resolution } from "../links/resolve-link.ts";
import type { UnresolvedLink } from "./block.ts";
import type { Link, Marks, Span } from "./span.ts";

/** Finds the pages that a page's links name. */
export interface LinkResolver {
  hyperlink(target: string): Resolution;
  wikiLink(target: string): Resolution;
}

/** Turns the links of one page into what rich text holds, and notes those that lead nowhere. */
export interface References {
  /** What a hyperlink links to, also where the page is not there; null where there is no target. */
  hyperlink(target: string): Link | null;
  /** The mention that a wiki link (`target|alias`) makes, also of a page that is not there; text where it means no page. */
  wikiLink(value: string, marks: Marks): Span;
  /** The URL that a reference-style link names. */
  definition(identifier: string): string | undefined;
  readonly unresolved: readonly UnresolvedLink[];
}

/** Follows the links of one page, whose reference-style links are defined in its tree. */
export function followReferences(tree: Nodes, resolver: LinkResolver): References {
  const definitions = definitionsIn(tree);
  const unresolved: UnresolvedLink[] = [];
  const lost = (target: string, reason: LinkFault) => unresolved.push({ target, reason });
  return {
    unresolved,
    definition: (identifier) => definitions.get(identifier),
    hyperlink(target) {
      if (target === "") return null;
      const resolution = resolver.hyperlink(target);
      if (resolution.kind === "entry") return { kind: "entry", id: resolution.entry.id };
      if (resolution.kind !== "unresolved") return { kind: "address", url: target };
      lost(target, resolution.reason);
      return { kind: "entry", id: resolution.id };
    },
    wikiLink(value, marks) {
      const [target = "", ...rest] = value.replaceAll("\\|", "|").split("|");
      const words = rest.join("|").trim();
      // `![[scan.png|300]]` gives a size, not words.
      const isSize = /^\d+(?:x\d+)?$/.test(words) && /\.(?!mdx?$)[a-z]\w*$/i.test(target.trim());
      const alias = isSize ? null : words || null;
      const resolution = resolver.wikiLink(target);
      switch (resolution.kind) {
        case "entry": {
          const { id, kind } = resolution.entry;
          return { kind: "mention", id, of: kind, alias, marks };
        }
        case "unresolved":
          lost(`[[${value}]]`, resolution.reason);
          return { kind: "mention", id: resolution.id, of: "page", alias: alias ?? target.trim(), marks };
        case "file":
          return { kind: "text", text: `[[${value}]]`, marks, link: null };
        case "elsewhere":
          return { kind: "text", text: alias ?? target.replace(/^#\^?/, ""), marks, link: null };
      }
    },
  };
}

/** The first definition of an identifier counts (CommonMark, section 4.7). */
function definitionsIn(tree: Nodes): ReadonlyMap<string, string> {
  const definitions = new Map<string, string>();
  const add = (node: Definition) => {
    if (!definitions.has(node.identifier)) definitions.set(node.identifier, node.url);
  };
  const pending: Nodes[] = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "definition") add(node);
    if ("children" in node) pending.push(...node.children.toReversed());
  }
  return definitions;
}
