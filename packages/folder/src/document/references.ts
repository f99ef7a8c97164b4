import type { Definition, Nodes } from "mdast";
import type { LinkFault, Resolution } from "../links/resolve-link.ts";
import type { Entry } from "../workspace/entry.ts";
import type { UnresolvedLink } from "./block.ts";
import { PageBounds } from "./bounds.ts";
import type { Link, Marks, Span } from "./span.ts";

/** The target of a link, with what is shown of a page. */
export type LinkTarget =
  | Exclude<Resolution, { kind: "entry" }>
  | (Omit<Extract<Resolution, { kind: "entry" }>, "entry"> & { readonly entry: Pick<Entry, "id" | "kind"> });

/** Resolves the links of one page. */
export interface LinkResolver<Target extends LinkTarget = Resolution> {
  hyperlink(target: string): Target;
  wikiLink(target: string): Target;
}

/** Converts the links of one page to rich text, and collects the unresolved ones. */
export interface References {
  /** The target of a hyperlink, which may not exist; null for an empty target. */
  hyperlink(target: string): Link | null;
  /** The mention of a wiki link (`target|alias`), even of a missing page; text if it does not name a page. */
  wikiLink(value: string, marks: Marks): Span;
  /** The URL of a reference-style link. */
  definition(identifier: string): string | undefined;
  readonly unresolved: readonly UnresolvedLink[];
  /** The bounds of the page, with the part that is used. */
  readonly bounds: PageBounds;
}

/** `tree` holds the definitions of reference-style links. */
export function followReferences(
  tree: Nodes,
  resolver: LinkResolver<LinkTarget>,
  bounds = new PageBounds(),
): References {
  const definitions = definitionsIn(tree);
  const unresolved: UnresolvedLink[] = [];
  const lost = (target: string, reason: LinkFault) => unresolved.push({ target, reason });
  return {
    unresolved,
    bounds,
    definition: (identifier) => definitions.get(identifier),
    hyperlink(target) {
      if (target === "" || !bounds.fitsLink()) return null;
      const resolution = resolver.hyperlink(target);
      if (resolution.kind === "entry")
        return { kind: "entry", id: resolution.entry.id, section: resolution.section ?? null };
      if (resolution.kind !== "unresolved") return { kind: "address", url: target };
      lost(target, resolution.reason);
      return { kind: "entry", id: resolution.id, section: null };
    },
    wikiLink(value, marks) {
      const { target, words } = writtenWikiLink(value);
      // In `![[scan.png|300]]` the alias is a size.
      const isSize = /^\d+(?:x\d+)?$/.test(words) && /\.(?!mdx?$)[a-z]\w*$/i.test(target.trim());
      const alias = isSize ? null : words || null;
      if (!bounds.fitsLink()) return { kind: "text", text: alias ?? target.trim(), marks, link: null };
      const resolution = resolver.wikiLink(target);
      switch (resolution.kind) {
        case "entry": {
          const { id, kind } = resolution.entry;
          const { section = null, words: shown = null } = resolution;
          // As Obsidian shows it.
          const named = section === null ? null : `${target.replace(/#.*$/s, "").trim()} > ${section}`;
          return { kind: "mention", id, of: kind, alias: alias ?? shown ?? named, section, marks };
        }
        case "unresolved":
          lost(`[[${value}]]`, resolution.reason);
          return {
            kind: "mention",
            id: resolution.id,
            of: "page",
            alias: alias ?? target.trim(),
            section: null,
            marks,
          };
        case "file":
          return { kind: "text", text: `[[${value}]]`, marks, link: null };
        case "elsewhere":
          return { kind: "text", text: alias ?? target.replace(/^#\^?/, ""), marks, link: null };
      }
    },
  };
}

/** The parts of a wiki link, `target|words`. In a table, the bar between them is escaped. */
export function writtenWikiLink(value: string): { readonly target: string; readonly words: string } {
  const [target = "", ...words] = value.replaceAll("\\|", "|").split("|");
  return { target, words: words.join("|").trim() };
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
