import type { NodeType } from "@clew/contract";
import { type NodeId, parseNodeId } from "../../../model/node-id.ts";
import type { HeldThreads, PageContent } from "../../port.ts";
import { type Dialect, notionDialect } from "../dialect.ts";
import { pageOfUrl } from "../page-url.ts";
import { createThreadTally, type ThreadTally } from "../thread-tally.ts";
import { piecesOf } from "./inline.ts";
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
): HeldThreads & Pick<PageContent, "children"> {
  const tally = createThreadTally(dialect);
  const children = new Map<NodeId, NodeType>();
  for (const { text } of proseLines(markdown)) {
    for (const piece of piecesOf(text)) {
      if (piece.kind === "link") tally.link(piece.href);
      else readTag(piece.tag, { tally, children, dialect });
    }
  }
  return { ...tally.held(), children: [...children].map(([id, type]) => ({ id, type })) };
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
  readonly tally: ThreadTally;
  readonly children: Map<NodeId, NodeType>;
  readonly dialect: Dialect;
}

function readTag(tag: Tag, found: Found): void {
  const mentioned = mentions.get(tag.name);
  const target = mentioned === undefined ? null : targetOf(tag, found.dialect);
  if (mentioned !== undefined && target !== null) found.tally.mention(target, mentioned);
  else addChild(tag, found);
}

function addChild(tag: Tag, { children, dialect }: Found): void {
  const unknown = unknownOf(tag, dialect);
  if (unknown?.kind === "child") children.set(unknown.id, unknown.type);
  if (tag.name !== "page" && tag.name !== "database") return;
  const child = targetOf(tag, dialect);
  if (child !== null) children.set(child, tag.name);
}

/** Closing tags have no address. Others may also hold a bare id or, for a data source, `collection://<id>`. */
function targetOf(tag: Tag, dialect: Dialect): NodeId | null {
  const address = tag.attributes.get("url") ?? "";
  return pageOfUrl(address, dialect) ?? parseNodeId(address.replace(/^collection:\/\//, ""));
}
