import type { Blockquote, List, ListItem, Paragraph, RootContent, Table } from "mdast";
import { type Block, headingBlock, tableOf, textAndChildren, textBlocks } from "./block.ts";
import type { Element } from "./elements.ts";
import { toSpans } from "./inline.ts";
import type { References } from "./references.ts";
import { type Link, plain, type Span, trimSpans } from "./span.ts";

/** Converts parsed Markdown to blocks. */
export function toBlocks(nodes: readonly RootContent[], references: References): Block[] {
  let steps = 0;
  return nodes.flatMap((node) => {
    if (node.type !== "element" || node.name !== "Step") return blocksOfNode(node, references);
    steps += 1;
    return [stepBlock(node, steps, references)];
  });
}

function blocksOfNode(node: RootContent, references: References): readonly Block[] {
  switch (node.type) {
    case "paragraph":
      return paragraphBlocks(node, references);
    case "heading":
      return [headingBlock(node.depth, toSpans(node.children, references))];
    case "code":
      return [...codeTitle(node.meta ?? ""), codeBlock(node.value, node.lang ?? "")];
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
      return blocksOfElement(node, references);
    case "definition":
    case "html":
      return [];
    default:
      return [{ type: "unsupported", children: [] }];
  }
}

/** A paragraph, followed by its images, because Notion has no inline images. */
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

/** The title of code after its language: `title="a.js"`, `filename='a.js'`, or `[a.js]` as in VitePress. */
const titleOfCode = /(?:^|\s)(?:title|filename)=(?:"([^"]+)"|'([^']+)')|(?:^|\s)\[([^[\]!][^[\]]*)\]/;

/** The title of a code block, which is often the file of the code. */
function codeTitle(settings: string): Block[] {
  const [, double, single, bracketed] = titleOfCode.exec(settings) ?? [];
  const title = double ?? single ?? bracketed;
  return title === undefined ? [] : textBlocks([bold(title)]);
}

const alert = /^\[!(\w+)\][+-]?\s*/;
/** Of GitHub's alerts, and the further callouts of Obsidian (https://help.obsidian.md/callouts). */
const alertIcons: Readonly<Record<string, string>> = {
  NOTE: "ℹ️",
  ABSTRACT: "📋",
  SUMMARY: "📋",
  TLDR: "📋",
  TODO: "☑️",
  TIP: "💡",
  HINT: "💡",
  IMPORTANT: "❗",
  SUCCESS: "✅",
  CHECK: "✅",
  DONE: "✅",
  QUESTION: "❓",
  HELP: "❓",
  FAQ: "❓",
  WARNING: "⚠️",
  ATTENTION: "⚠️",
  CAUTION: "🛑",
  FAILURE: "❌",
  FAIL: "❌",
  MISSING: "❌",
  DANGER: "⚡",
  ERROR: "⚡",
  BUG: "🐛",
  EXAMPLE: "🔍",
  QUOTE: "💬",
  CITE: "💬",
};

/** A quote, or a callout in the syntax of GitHub and Obsidian: `> [!NOTE]`. */
function quoteBlock(quote: Blockquote, references: References): Block {
  const { text, children } = textAndChildren(toBlocks(quote.children, references));
  const first = text[0];
  const kind = first?.kind === "text" ? alert.exec(first.text)?.[1] : undefined;
  if (first?.kind !== "text" || kind === undefined) return { type: "quote", text, children };
  const words = trimSpans([{ ...first, text: first.text.replace(alert, "") }, ...text.slice(1)]);
  return { type: "callout", icon: alertIcons[kind.toUpperCase()] ?? "ℹ️", text: words, children };
}

function listBlocks(list: List, references: References): Block[] {
  const first = list.ordered === true ? (list.start ?? 1) : null;
  return list.children.map((item, index) =>
    itemBlock(item, first === null ? null : first + index, references),
  );
}

/** An item of a list. `number` is null if it has none. */
function itemBlock(item: ListItem, number: number | null, references: References): Block {
  const parts = textAndChildren(toBlocks(item.children, references));
  if (typeof item.checked === "boolean") return { type: "to_do", checked: item.checked, number, ...parts };
  return listItem(number, parts);
}

const listItem = (number: number | null, parts: ReturnType<typeof textAndChildren>): Block =>
  number === null
    ? { type: "bulleted_list_item", ...parts }
    : { type: "numbered_list_item", number, ...parts };

/** A step of a procedure, which is numbered among its neighbours whatever stands between them. */
function stepBlock(step: Element, number: number, references: References): Block {
  return listItem(number, {
    text: titleSpans(step, references),
    children: toBlocks(step.children, references),
  });
}

function tableBlock(table: Table, references: References): Block {
  const rows = table.children.map((row): readonly Span[][] =>
    row.children.map((cell) => trimSpans(toSpans(cell.children, references))),
  );
  // A table that continues one of another piece has no header, but its width.
  return tableOf(rows, true, references.bounds, table.align?.length);
}

function footnoteBlocks(label: string, nodes: readonly RootContent[], references: References): Block[] {
  const { text, children } = textAndChildren(toBlocks(nodes, references));
  const marker: Span = { kind: "text", text: `[${label}] `, marks: plain, link: null };
  return [{ type: "paragraph", text: [marker, ...text], children }];
}

const calloutIcons: Readonly<Record<string, string>> = {
  Note: "📝",
  Info: "ℹ️",
  Tip: "💡",
  Check: "✅",
  Warning: "⚠️",
  Danger: "🛑",
  Callout: "💬",
  Aside: "💬",
  Admonition: "💬",
};

const toggles = new Set(["details", "Accordion", "Expandable", "Details"]);

/** Converts an HTML element or a component of a documentation site. Keeps all its text and links. */
function blocksOfElement(element: Element, references: References): readonly Block[] {
  const { name } = element;
  const icon = calloutIcons[name];
  const heading = /^h([1-6])$/.exec(name)?.[1];
  const inside = () => textAndChildren(toBlocks(element.children, references));
  if (icon !== undefined) return [{ type: "callout", icon, ...inside() }];
  if (heading !== undefined) return [headingBlock(Number(heading), toSpans(element.children, references))];
  if (toggles.has(name)) return [toggleBlock(element, references)];
  if (name === "blockquote") return [{ type: "quote", ...inside() }];
  if (name === "ul" || name === "ol" || name === "menu") return htmlList(element, references);
  if (name === "li") return [{ type: "bulleted_list_item", ...inside() }];
  if (name === "table") return htmlTable(element, references);
  if (name === "hr") return [{ type: "divider", children: [] }];
  if (name === "iframe" || name === "video") return textBlocks(toSpans([element], references));
  return titledBlocks(element, references);
}

/** The title and description of an element, then its content. */
function titledBlocks(element: Element, references: References): Block[] {
  const { title, href, description, caption } = element.attributes;
  if (title === undefined && href !== undefined) return textBlocks(toSpans([element], references));
  const lead = textBlocks([words(description ?? caption ?? "")]);
  return [...textBlocks(titleSpans(element, references)), ...lead, ...toBlocks(element.children, references)];
}

/** The title of a card, tab or field, linked if the element is a link. */
function titleSpans(element: Element, references: References): Span[] {
  if (!/^[A-Z]/.test(element.name)) return [];
  const { title, label, name, path, query, body, header, href } = element.attributes;
  const text = title ?? label ?? name ?? path ?? query ?? body ?? header;
  if (text === undefined || text === "") return [];
  const link = href === undefined ? null : references.hyperlink(href);
  return [bold(text, link)];
}

function toggleBlock(element: Element, references: References): Block {
  const isSummary = (node: RootContent) => node.type === "element" && node.name === "summary";
  const summary = element.children.find(isSummary);
  const rest = element.children.filter((node) => node !== summary);
  const text =
    summary === undefined ? titleSpans(element, references) : trimSpans(toSpans([summary], references));
  return { type: "toggle", text, children: toBlocks(rest, references) };
}

function htmlList(list: Element, references: References): Block[] {
  const { start, reversed } = list.attributes;
  const items = list.children.filter(isListItem).length;
  const step = reversed === undefined ? 1 : -1;
  let number = wholeNumber(start) ?? (step === 1 ? 1 : items);
  return list.children.flatMap((node): Block[] => {
    if (!isListItem(node)) return toBlocks([node], references);
    number = wholeNumber(node.attributes.value) ?? number;
    const item = listItem(
      list.name === "ol" ? number : null,
      textAndChildren(toBlocks(node.children, references)),
    );
    number += step;
    return [item];
  });
}

const isListItem = (node: RootContent): node is Element => node.type === "element" && node.name === "li";

/** The value of an attribute that is a number as Markdown has it: not negative, of at most nine digits. */
const wholeNumber = (value: string | undefined): number | null =>
  value !== undefined && /^\d{1,9}$/.test(value) ? Number(value) : null;

/** A table, after what it has outside of its cells, such as a caption. */
function htmlTable(table: Element, references: References): Block[] {
  const rows = elementsNamed(table, ["tr"]);
  const cells = rows.map((row) => elementsNamed(row, ["td", "th"]));
  const hasHeader = cells[0]?.some((cell) => cell.name === "th") ?? false;
  const spans = cells.map((row) => row.map((cell) => trimSpans(toSpans(cell.children, references))));
  const outside = toBlocks(outsideCells(table), references);
  return spans.some((row) => row.length > 0)
    ? [...outside, tableOf(spans, hasHeader, references.bounds)]
    : outside;
}

const partsOfTable = ["thead", "tbody", "tfoot", "tr"];

/** The content of a table that is in no cell. */
function outsideCells(part: Element): RootContent[] {
  return part.children.flatMap((node) => {
    if (node.type !== "element") return [node];
    if (node.name === "td" || node.name === "th") return [];
    return partsOfTable.includes(node.name) ? outsideCells(node) : [node];
  });
}

/** The outermost descendants with these names. */
function elementsNamed(element: Element, names: readonly string[]): Element[] {
  return element.children.flatMap((node) => {
    if (node.type !== "element") return [];
    return names.includes(node.name) ? [node] : elementsNamed(node, names);
  });
}

/** The image block of a node; null if it is not an image with an absolute URL, which Notion requires. */
function imageOf(node: RootContent, references: References): Block | null {
  if (node.type === "image") return image(node.url, node.alt ?? "");
  if (node.type === "imageReference")
    return image(references.definition(node.identifier) ?? "", node.alt ?? "");
  if (node.type !== "element" || node.name !== "img") return null;
  return image(node.attributes.src ?? "", node.attributes.alt ?? "");
}

function image(url: string, caption: string): Block | null {
  return /^https?:\/\//i.test(url) ? { type: "image", url, caption, children: [] } : null;
}

function words(text: string): Span {
  return { kind: "text", text, marks: plain, link: null };
}

function bold(text: string, link: Link | null = null): Span {
  return { kind: "text", text, marks: { ...plain, bold: true }, link };
}
