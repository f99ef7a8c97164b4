import type { NodeType } from "@clew/contract";
import { type NodeId, parseNodeId } from "@clew/graph";
import type { HeldReferences, PageContent, ShownNode } from "@clew/provider";
import { proseLines } from "@clew/text";
import { CodePoints } from "@clew/text/basics";
import type { TextAddresses } from "./addresses.ts";
import { inlineReferences, type Tag, unknownOf } from "./parse.ts";
import { ReferenceTally, referenceName } from "./reference-tally.ts";

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
  addresses: TextAddresses,
): HeldReferences & Pick<PageContent, "children"> {
  const tally = new ReferenceTally(addresses);
  const children = new Map<NodeId, ShownNode>();

  const addChild = (tag: Tag, text: string, offset: number) => {
    const unknown = unknownOf(tag, addresses);
    if (unknown?.kind === "child") children.set(unknown.id, { id: unknown.id, type: unknown.type, offset });
    if (tag.name !== "page" && tag.name !== "database") return;
    const collectionId = tag.name === "database" ? targetOf(tag, addresses, "data-source-url") : null;
    const id = targetOf(tag, addresses) ?? collectionId;
    const before = children.get(id ?? "");
    const name = before?.name ?? referenceName(text);
    if (id === null) return;
    const named = name === undefined ? {} : { name };
    const sourced = collectionId === null ? {} : { collectionId };
    children.set(id, { id, type: tag.name, offset: before?.offset ?? offset, ...named, ...sourced });
  };

  const codePoints = new CodePoints(markdown);
  for (const line of proseLines(markdown)) {
    for (const found of inlineReferences(line.text)) {
      const offset = codePoints.before(line.start + found.at);
      if (found.kind === "link") {
        tally.link(found.href, found.text, offset);
        continue;
      }
      const { tag, text } = found;
      const type = mentionTags.get(tag.name);
      const target = type === undefined ? null : targetOf(tag, addresses);
      if (type !== undefined && target !== null) tally.mention(target, type, text, offset);
      else addChild(tag, text, offset);
    }
  }
  return { ...tally.held(), children: [...children.values()] };
}

/** The node that a tag's address opens. The address may also be a bare id or, for a data source, `collection://<id>`. Closing tags have none. */
export function targetOf(tag: Tag, addresses: TextAddresses, attribute = "url"): NodeId | null {
  const address = tag.attributes.get(attribute) ?? "";
  return addresses.pageOf(address) ?? parseNodeId(address.replace(/^collection:\/\//, ""));
}
