import type { NodeType } from "@clew/contract";
import { type NodeId, parseNodeId } from "@clew/graph";
import type { HeldReferences, PageContent, ShownNode } from "../../port.ts";
import { type Dialect, notionDialect } from "../dialect.ts";
import { pageOfUrl } from "../page-url.ts";
import { createReferenceTally, type ReferenceTally, referenceName } from "../reference-tally.ts";
import { piecesOf, type TagPiece } from "./inline.ts";
import { proseLines } from "./lines.ts";
import type { Tag } from "./tag.ts";
import { unknownOf } from "./unknown.ts";

/**
 * What a page's text names: hyperlinks and citations are `link`s, mentions and synced blocks of other pages are
 * `mention`s, and what the text shows as its own are its children. The tag of a synced block's original names the
 * page itself and is none.
 */
export function referencesIn(
  markdown: string,
  dialect = notionDialect,
): HeldReferences & Pick<PageContent, "children"> {
  const tally = createReferenceTally(dialect);
  const children = new Map<NodeId, ShownNode>();
  for (const { text } of proseLines(markdown)) {
    for (const piece of piecesOf(text)) {
      if (piece.kind === "link") tally.link(piece.href, piece.text);
      else readTag(piece, { tally, children, dialect });
    }
  }
  return { ...tally.held(), children: [...children.values()] };
}

/** Tags that mention something, and what. */
const mentions: ReadonlyMap<string, NodeType | null> = new Map([
  ["mention-page", "page"],
  ["mention-database", "database"],
  ["mention-data-source", null],
  ["synced_block_reference", "page"],
]);

/** What was found so far. */
interface Found {
  readonly tally: ReferenceTally;
  readonly children: Map<NodeId, ShownNode>;
  readonly dialect: Dialect;
}

function readTag({ tag, text }: TagPiece, found: Found): void {
  const mentioned = mentions.get(tag.name);
  const target = mentioned === undefined ? null : targetOf(tag, found.dialect);
  if (mentioned !== undefined && target !== null) found.tally.mention(target, mentioned, text);
  else addChild(tag, text, found);
}

function addChild(tag: Tag, text: string, { children, dialect }: Found): void {
  const unknown = unknownOf(tag, dialect);
  if (unknown?.kind === "child") children.set(unknown.id, { id: unknown.id, type: unknown.type });
  if (tag.name !== "page" && tag.name !== "database") return;
  const child = targetOf(tag, dialect);
  const name = children.get(child ?? "")?.name ?? referenceName(text);
  if (child !== null)
    children.set(child, { id: child, type: tag.name, ...(name === undefined ? {} : { name }) });
}

/** Closing tags have no address. Others may also hold a bare id or, for a data source, `collection://<id>`. */
function targetOf(tag: Tag, dialect: Dialect): NodeId | null {
  const address = tag.attributes.get("url") ?? "";
  return pageOfUrl(address, dialect) ?? parseNodeId(address.replace(/^collection:\/\//, ""));
}
