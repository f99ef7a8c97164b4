import type { Blockquote, List, ListItem, Paragraph, RootContent, Table } from "mdast";
import type { Block } from "./block.ts";
import { headingBlock, tableOf, textAndChildren, textBlocks } from "./block-parts.ts";
import { blocksOfElement, imageOf } from "./element-blocks.ts";
import { toSpans } from "./inline.ts";
import type { References } from "./references.ts";
import { plain, type Span, trimSpans } from "./span.ts";

/** The blocks that parsed Markdown makes. */
export function toBlocks(nodes: readonly RootContent[], references: References): Block[] {
  return nodes.flatMap((node) => blocksOfNode(node, references));
}

function blocksOfNode(node: RootContent, references: References): readonly Block[] {
  switch (node.type) {
    case "paragraph":
      return paragraphBlocks(node, references);
    case "heading":
      return [headingBlock(node.depth, toSpans(node.children, references))];
    case "code":
      return [codeBlock(node.value, node.lang ?? "")];
    case "blockquote":
      return [quoteBlock(node, references)];
    case "list":
      return listBlocks(node, references);
    case "table":
      return [tableBlock(node, references)];
    case "thematicBreak":
      return [{ type: "divider", children: [] }];
    case "footnoteDefinition":
      return footnoteBlocks(node.label ?? node.identifier, node.children, references);
    case "element":
      return blocksOfElement(node, references, toBlocks);
    case "definition":
    case "html":
      return [];
    default:
      return [{ type: "unsupported", children: [] }];
  }
}

/** A paragraph, and after it the pictures that stand in it: the provider has no pictures within a line. */
function paragraphBlocks(paragraph: Paragraph, references: References): Block[] {
  const pictures = paragraph.children.flatMap((node) => imageOf(node, references) ?? []);
  const words = paragraph.children.filter((node) => imageOf(node, references) === null);
  return [...textBlocks(toSpans(words, references)), ...pictures];
}

function codeBlock(code: string, language: string): Block {
  return language === "math"
    ? { type: "equation", expression: code, children: [] }
    : { type: "code", language, code, children: [] };
}

const alert = /^\[!(\w+)\][+-]?\s*/;
const alertIcons: Readonly<Record<string, string>> = {
  NOTE: "ℹ️",
  TIP: "💡",
  IMPORTANT: "❗",
  WARNING: "⚠️",
  CAUTION: "🛑",
};

/** A quote, or the callout that GitHub and Obsidian write as one: `> [!NOTE]`. */
function quoteBlock(quote: Blockquote, references: References): Block {
  const { text, children } = textAndChildren(toBlocks(quote.children, references));
  const first = text[0];
  const kind = first?.kind === "text" ? alert.exec(first.text)?.[1] : undefined;
  if (first?.kind !== "text" || kind === undefined) return { type: "quote", text, children };
  const words = trimSpans([{ ...first, text: first.text.replace(alert, "") }, ...text.slice(1)]);
  return { type: "callout", icon: alertIcons[kind.toUpperCase()] ?? "ℹ️", text: words, children };
}

function listBlocks(list: List, references: References): Block[] {
  return list.children.map((item) => itemBlock(item, list.ordered === true, references));
}

function itemBlock(item: ListItem, ordered: boolean, references: References): Block {
  const parts = textAndChildren(toBlocks(item.children, references));
  if (typeof item.checked === "boolean") return { type: "to_do", checked: item.checked, ...parts };
  return { type: ordered ? "numbered_list_item" : "bulleted_list_item", ...parts };
}

function tableBlock(table: Table, references: References): Block {
  const rows = table.children.map((row): readonly Span[][] =>
    row.children.map((cell) => trimSpans(toSpans(cell.children, references))),
  );
  return tableOf(rows, true);
}

function footnoteBlocks(label: string, nodes: readonly RootContent[], references: References): Block[] {
  const { text, children } = textAndChildren(toBlocks(nodes, references));
  const marker: Span = { kind: "text", text: `[${label}] `, marks: plain, link: null };
  return [{ type: "paragraph", text: [marker, ...text], children }];
}
