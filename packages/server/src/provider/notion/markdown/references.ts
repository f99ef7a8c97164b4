import type { NodeType } from "@clew/contract";
import { type NodeId, parseNodeId } from "@clew/graph";
import type { HeldReferences, PageContent, ShownNode } from "../../port.ts";
import { ReferenceTally, referenceName } from "../reference-tally.ts";
import { type Dialect, notionDialect, pageOfUrl } from "../urls.ts";
import { inlineReferences, proseLines, type Tag, unknownOf } from "./parse.ts";

/** Tags that mention a page or database, and which of the two; null if the tag does not say. */
const mentionTags: ReadonlyMap<string, NodeType | null> = new Map([
  ["mention-page", "page"],
  ["mention-database", "database"],
  ["mention-data-source", null],
  ["synced_block_reference", "page"],
]);

/**
 * The references and children in a text. Hyperlinks and citations are `link`s; mentions and copies of another page's
 * synced block are `mention`s. The original of a synced block is neither, since its tag names the page itself.
 */
export function referencesIn(
  markdown: string,
  dialect = notionDialect,
): HeldReferences & Pick<PageContent, "children"> {
  const tally = new ReferenceTally(dialect);
  const children = new Map<NodeId, ShownNode>();

  const addChild = (tag: Tag, text: string) => {
    const unknown = unknownOf(tag, dialect);
    if (unknown?.kind === "child") children.set(unknown.id, { id: unknown.id, type: unknown.type });
    if (tag.name !== "page" && tag.name !== "database") return;
    const id = targetOf(tag, dialect);
    const name = children.get(id ?? "")?.name ?? referenceName(text);
    if (id !== null) children.set(id, { id, type: tag.name, ...(name === undefined ? {} : { name }) });
  };

  for (const line of proseLines(markdown)) {
    for (const found of inlineReferences(line.text)) {
      if (found.kind === "link") {
        tally.link(found.href, found.text);
        continue;
      }
      const { tag, text } = found;
      const type = mentionTags.get(tag.name);
      const target = type === undefined ? null : targetOf(tag, dialect);
      if (type !== undefined && target !== null) tally.mention(target, type, text);
      else addChild(tag, text);
    }
  }
  return { ...tally.held(), children: [...children.values()] };
}

/** An address may also be a bare id or, for a data source, `collection://<id>`. Closing tags have none. */
function targetOf(tag: Tag, dialect: Dialect): NodeId | null {
  const address = tag.attributes.get("url") ?? "";
  return pageOfUrl(address, dialect) ?? parseNodeId(address.replace(/^collection:\/\//, ""));
}
