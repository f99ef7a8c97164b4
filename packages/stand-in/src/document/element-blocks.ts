import type { RootContent } from "mdast";
import type { Block } from "./block.ts";
import { headingBlock, tableOf, textAndChildren, textBlocks } from "./block-parts.ts";
import type { Element } from "./elements.ts";
import { toSpans } from "./inline.ts";
import type { References } from "./references.ts";
import { plain, type Span, trimSpans } from "./span.ts";

type ToBlocks = (nodes: readonly RootContent[], references: References) => Block[];

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

/** The blocks that an element of HTML, or a component of a documentation site, makes. Its text and links always stay. */
export function blocksOfElement(
  element: Element,
  references: References,
  toBlocks: ToBlocks,
): readonly Block[] {
  const { name } = element;
  const icon = calloutIcons[name];
  const heading = /^h([1-6])$/.exec(name)?.[1];
  const inside = () => textAndChildren(toBlocks(element.children, references));
  if (icon !== undefined) return [{ type: "callout", icon, ...inside() }];
  if (heading !== undefined) return [headingBlock(Number(heading), toSpans(element.children, references))];
  if (toggles.has(name)) return [toggleBlock(element, references, toBlocks)];
  if (name === "Step")
    return [
      {
        type: "numbered_list_item",
        text: titleSpans(element, references),
        children: toBlocks(element.children, references),
      },
    ];
  if (name === "blockquote") return [{ type: "quote", ...inside() }];
  if (name === "ul" || name === "ol" || name === "menu") return htmlList(element, references, toBlocks);
  if (name === "li") return [{ type: "bulleted_list_item", ...inside() }];
  if (name === "table") return [htmlTable(element, references)];
  if (name === "hr") return [{ type: "divider", children: [] }];
  if (name === "iframe" || name === "video") return textBlocks(toSpans([element], references));
  return titledBlocks(element, references, toBlocks);
}

/** What an element says of itself in its attributes, and then what is in it. */
function titledBlocks(element: Element, references: References, toBlocks: ToBlocks): Block[] {
  const { title, href, description, caption } = element.attributes;
  if (title === undefined && href !== undefined) return textBlocks(toSpans([element], references));
  const lead = textBlocks([words(description ?? caption ?? "")]);
  return [...textBlocks(titleSpans(element, references)), ...lead, ...toBlocks(element.children, references)];
}

/** The title of a card, tab or field, as a link where the element is one. */
function titleSpans(element: Element, references: References): Span[] {
  if (!/^[A-Z]/.test(element.name)) return [];
  const { title, label, name, path, query, body, header, href } = element.attributes;
  const text = title ?? label ?? name ?? path ?? query ?? body ?? header;
  if (text === undefined || text === "") return [];
  const link = href === undefined ? null : references.hyperlink(href);
  return [{ kind: "text", text, marks: { ...plain, bold: true }, link }];
}

function toggleBlock(element: Element, references: References, toBlocks: ToBlocks): Block {
  const isSummary = (node: RootContent) => node.type === "element" && node.name === "summary";
  const summary = element.children.find(isSummary);
  const rest = element.children.filter((node) => node !== summary);
  const text =
    summary === undefined ? titleSpans(element, references) : trimSpans(toSpans([summary], references));
  return { type: "toggle", text, children: toBlocks(rest, references) };
}

function htmlList(list: Element, references: References, toBlocks: ToBlocks): Block[] {
  const type = list.name === "ol" ? "numbered_list_item" : "bulleted_list_item";
  return list.children.flatMap((node): Block[] =>
    node.type === "element" && node.name === "li"
      ? [{ type, ...textAndChildren(toBlocks(node.children, references)) }]
      : toBlocks([node], references),
  );
}

function htmlTable(table: Element, references: References): Block {
  const rows = elementsNamed(table, ["tr"]);
  const cells = rows.map((row) => elementsNamed(row, ["td", "th"]));
  const hasHeader = cells[0]?.some((cell) => cell.name === "th") ?? false;
  return tableOf(
    cells.map((row) => row.map((cell) => trimSpans(toSpans(cell.children, references)))),
    hasHeader,
  );
}

/** The elements of these names below an element, not looking into those found. */
function elementsNamed(element: Element, names: readonly string[]): Element[] {
  return element.children.flatMap((node) => {
    if (node.type !== "element") return [];
    return names.includes(node.name) ? [node] : elementsNamed(node, names);
  });
}

/** The image block that a picture makes; null where a node is none that can be shown: the provider needs a full URL. */
export function imageOf(node: RootContent, references: References): Block | null {
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
