import type { Blockquote, List, ListItem, Paragraph, RootContent, Table } from "mdast";
import type { Block } from "./block.ts";
import { headingBlock, tableOf, textAndChildren, textBlocks } from "./block-parts.ts";
import { blocksOfElement, imageOf } from "./element-blocks.ts";
import { toSpans } from "./inline.ts";
import { plain, type Span, trimSpans } from "./span.ts";
import type { Threads } from "./threads.ts";

/** The blocks that parsed Markdown makes. */
export function toBlocks(nodes: readonly RootContent[], threads: Threads): Block[] {
  return nodes.flatMap((node) => blocksOfNode(node, threads));
}

function blocksOfNode(node: RootContent, threads: Threads): readonly Block[] {
  switch (node.type) {
    case "paragraph":
      return paragraphBlocks(node, threads);
    case "heading":
      return [headingBlock(node.depth, toSpans(node.children, threads))];
    case "code":
      return [codeBlock(node.value, node.lang ?? "")];
    case "blockquote":
      return [quoteBlock(node, threads)];
    case "list":
      return listBlocks(node, threads);
    case "table":
      return [tableBlock(node, threads)];
    case "thematicBreak":
      return [{ type: "divider", children: [] }];
    case "footnoteDefinition":
      return footnoteBlocks(node.label ?? node.identifier, node.children, threads);
    case "element":
      return blocksOfElement(node, threads, toBlocks);
    case "definition":
    case "html":
      return [];
    default:
      return [{ type: "unsupported", children: [] }];
  }
}

/** A paragraph, and after it the pictures that stand in it: the provider has no pictures within a line. */
function paragraphBlocks(paragraph: Paragraph, threads: Threads): Block[] {
  const pictures = paragraph.children.flatMap((node) => imageOf(node, threads) ?? []);
  const words = paragraph.children.filter((node) => imageOf(node, threads) === null);
  return [...textBlocks(toSpans(words, threads)), ...pictures];
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
function quoteBlock(quote: Blockquote, threads: Threads): Block {
  const { text, children } = textAndChildren(toBlocks(quote.children, threads));
  const first = text[0];
  const kind = first?.kind === "text" ? alert.exec(first.text)?.[1] : undefined;
  if (first?.kind !== "text" || kind === undefined) return { type: "quote", text, children };
  const words = trimSpans([{ ...first, text: first.text.replace(alert, "") }, ...text.slice(1)]);
  return { type: "callout", icon: alertIcons[kind.toUpperCase()] ?? "ℹ️", text: words, children };
}

function listBlocks(list: List, threads: Threads): Block[] {
  return list.children.map((item) => itemBlock(item, list.ordered === true, threads));
}

function itemBlock(item: ListItem, ordered: boolean, threads: Threads): Block {
  const parts = textAndChildren(toBlocks(item.children, threads));
  if (typeof item.checked === "boolean") return { type: "to_do", checked: item.checked, ...parts };
  return { type: ordered ? "numbered_list_item" : "bulleted_list_item", ...parts };
}

function tableBlock(table: Table, threads: Threads): Block {
  const rows = table.children.map((row): readonly Span[][] =>
    row.children.map((cell) => trimSpans(toSpans(cell.children, threads))),
  );
  return tableOf(rows, true);
}

function footnoteBlocks(label: string, nodes: readonly RootContent[], threads: Threads): Block[] {
  const { text, children } = textAndChildren(toBlocks(nodes, threads));
  const marker: Span = { kind: "text", text: `[${label}] `, marks: plain, link: null };
  return [{ type: "paragraph", text: [marker, ...text], children }];
}
