import type { NodeId } from "@clew/graph";
import { escaped } from "@clew/provider-text";
import {
  at,
  optionalBoolean,
  optionalList,
  optionalText,
  requiredId,
  requiredList,
  requiredObject,
  requiredText,
  textAt,
  UnsupportedTypeError,
} from "../json.ts";
import { linkOf, mentionOf, plainText } from "../rich-text.ts";
import { urlOfPage } from "../urls.ts";
import { type BlockReading, blocks, readingOf } from "../vocabulary.ts";

/**
 * Writes a block that the page's Markdown leaves out as the line that the provider would write: a bookmark, embed or link
 * preview as a hyperlink, a link to a page as a mention, a child page or database as such, a meeting as its title, any other
 * block as its text.
 * Null if the block has no text. Throws `UnreadableError`, and `UnsupportedTypeError` for a type that Clew does not know or
 * the provider's API does not give. https://developers.notion.com/reference/block
 */
export function lineOfBlock(block: unknown): string | null {
  const type = requiredText(block, "type");
  if (type === "unsupported") throw new UnsupportedTypeError(textAt(block, type, "block_type") || type);
  requiredObject(block, type);
  switch (type) {
    case "link_to_page":
      return lineOfPageLink(block, type);
    case "child_page":
    case "child_database": {
      const tag = type === "child_page" ? "page" : "database";
      const title = optionalText(block, type, "title") ?? "";
      return `<${tag} url="${urlOfPage(requiredId(block, "id"))}">${escaped(title)}</${tag}>`;
    }
    case "meeting_notes":
    case "transcription":
      return richTextLine(optionalList(block, type, "title") ?? []) || null;
    default:
      return lineOfText(block, type);
  }
}

/** The beginnings of lines in the provider's Markdown, by the type of the block. */
const markers: ReadonlyMap<string, string> = new Map([
  ["heading_1", "# "],
  ["heading_2", "## "],
  ["heading_3", "### "],
  ["heading_4", "#### "],
  ["bulleted_list_item", "- "],
  ["quote", "> "],
]);

/** Types whose caption stands between tags with their address; that of an image is the text of its link. */
const mediaTypes = new Set(["image", "video", "pdf", "file", "audio"]);

/**
 * The number of a block in a numbered list, which follows that of the block before it or is given; 0 for any other block. The
 * number of no block before it is 0 too.
 */
export function numberOf(block: unknown, before: number): number {
  const type = textAt(block, "type");
  if (type !== "numbered_list_item") return 0;
  const given = at(block, type, "list_start_index");
  return Number.isSafeInteger(given) && Number(given) >= 0 ? Number(given) : before + 1;
}

/**
 * Writes a block that is below another one: as `lineOfBlock`, with the marks of a heading, an item, a quote or code. Those that the
 * provider's Markdown always has are written in its form: equations, rows of tables, pictures and files. `number` is that of an
 * item in a numbered list.
 */
export function lineOfInnerBlock(block: unknown, number: number): string | null {
  const type = requiredText(block, "type");
  if (readingOf<BlockReading>(blocks, type)?.text === "empty") return null;
  if (type === "code") return codeOf(block, type);
  if (type === "divider") return "---";
  if (type === "equation") return `$$\n${requiredText(block, type, "expression")}\n$$`;
  if (type === "table_row") return rowOf(block, type);
  if (mediaTypes.has(type)) return mediaOf(block, type);
  const line = lineOfBlock(block);
  if (line === null) return null;
  if (type === "numbered_list_item") return `${number}. ${line}`;
  const isDone = type === "to_do" && optionalBoolean(block, type, "checked") === true;
  const marker = type === "to_do" ? `- [${isDone ? "x" : " "}] ` : (markers.get(type) ?? "");
  return marker + line;
}

/** Code between fences that are longer than those in it. */
function codeOf(block: unknown, type: string): string {
  const text = plainText(requiredList(block, type, "rich_text"));
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = "`".repeat(longest + 1);
  return `${fence}${optionalText(block, type, "language") ?? ""}\n${text}\n${fence}`;
}

function rowOf(block: unknown, type: string): string {
  const cells = requiredList(block, type, "cells").map((_, cell) => requiredList(block, type, "cells", cell));
  return `<tr>${cells.map((cell) => `<td>${richTextLine(cell)}</td>`).join("")}</tr>`;
}

/** A picture or file: its caption, or else its name, and its address. */
function mediaOf(block: unknown, type: string): string {
  const caption = richTextLine(optionalList(block, type, "caption") ?? []);
  const label = caption || escaped(optionalText(block, type, "name") ?? "");
  const kind = textAt(block, type, "type") ?? "";
  const address = encodedAddress(optionalText(block, type, kind, "url") ?? "");
  return type === "image"
    ? `![${label}](${address})`
    : `<${type} src="${address.replaceAll('"', "%22")}">${label}</${type}>`;
}

function lineOfPageLink(block: unknown, type: string): string | null {
  const target = requiredText(block, type, "type");
  switch (target) {
    case "page_id":
      return mentionTag("page", requiredId(block, type, target));
    case "database_id":
      return mentionTag("database", requiredId(block, type, target));
    case "comment_id":
      return null;
    default:
      throw new UnsupportedTypeError(`${type}.${target}`);
  }
}

function lineOfText(block: unknown, type: string): string | null {
  const address =
    readingOf<BlockReading>(blocks, type)?.text === "address"
      ? requiredText(block, type, "url")
      : optionalText(block, type, "url");
  const items = optionalList(block, type, "rich_text");
  if (address === null && items === null) throw new UnsupportedTypeError(type);
  if (address === null || address === "") return richTextLine(items ?? []) || null;
  return link(plainText(optionalList(block, type, "caption") ?? []) || address, address);
}

/** Rich text as one line: its text, hyperlinks, and mentions of pages and databases. */
export function richTextLine(items: readonly unknown[]): string {
  return items
    .map((item) => {
      const mention = mentionOf(item);
      const text = requiredText(item, "plain_text");
      if (mention !== null) return mentionTag(mention.type, mention.id, text);
      const address = linkOf(item);
      return address === null ? escaped(text) : link(text, address);
    })
    .join("");
}

function mentionTag(type: "page" | "database", id: NodeId, title = ""): string {
  const tag = `mention-${type} url="${urlOfPage(id)}"`;
  return title === "" ? `<${tag}/>` : `<${tag}>${escaped(title)}</mention-${type}>`;
}

function link(label: string, address: string): string {
  return `[${escaped(label)}](${encodedAddress(address)})`;
}

function encodedAddress(address: string): string {
  return address.replaceAll(/[\s()<>\\]/g, percentEncoded);
}

function percentEncoded(character: string): string {
  return [...Buffer.from(character)].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
}
