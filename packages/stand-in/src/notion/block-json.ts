import { type Block, codeLanguage, type Entry, type PlacedBlock } from "@clew/folder";
import { historyJson, type JsonObject, parentJson } from "./object-json.ts";
import { plainRichText, richText } from "./rich-text.ts";
import type { View } from "./view.ts";

/** A block object (https://developers.notion.com/reference/block). */
export function blockJson(page: Entry, placed: PlacedBlock, view: View): JsonObject {
  const { block, parent, children } = placed;
  if (block.type === "child") {
    const child = view.workspace.entry(block.id);
    if (child !== null) return entryBlockJson(child, view);
  }
  const type = block.type === "heading" ? `heading_${block.level}` : block.type;
  return {
    object: "block",
    id: placed.id,
    parent:
      parent === null ? { type: "page_id", page_id: page.id } : { type: "block_id", block_id: parent.id },
    ...historyJson(page, view.workspace),
    has_children: children.length > 0,
    in_trash: page.inTrash,
    type,
    [type]: contentJson(block, view),
  };
}

/** The block of a page or database in its parent. */
export function entryBlockJson(entry: Entry, view: View): JsonObject {
  const type = entry.kind === "page" ? "child_page" : "child_database";
  return {
    object: "block",
    id: entry.id,
    parent: parentJson(entry),
    ...historyJson(entry, view.workspace),
    has_children:
      entry.kind === "page" && (entry.children.some(({ inTrash }) => !inTrash) || entry.body.trim() !== ""),
    in_trash: entry.inTrash,
    type,
    [type]: { title: entry.title },
  };
}

function contentJson(block: Block, view: View): JsonObject {
  const color = "default";
  switch (block.type) {
    case "heading":
      return { rich_text: richText(block.text, view), is_toggleable: false, color };
    case "numbered_list_item":
      return { rich_text: richText(block.text, view), list_start_index: block.number, color };
    case "to_do":
      return { rich_text: richText(block.text, view), checked: block.checked, color };
    case "callout":
      return { rich_text: richText(block.text, view), icon: { type: "emoji", emoji: block.icon }, color };
    case "code":
      return { caption: [], rich_text: plainRichText(block.code), language: codeLanguage(block.language) };
    case "equation":
      return { expression: block.expression };
    case "image":
      return { caption: plainRichText(block.caption), type: "external", external: { url: block.url } };
    case "table":
      return { table_width: block.width, has_column_header: block.hasHeader, has_row_header: false };
    case "table_row":
      return { cells: block.cells.map((cell) => richText(cell, view)) };
    default:
      return "text" in block ? { rich_text: richText(block.text, view), color } : {};
  }
}
