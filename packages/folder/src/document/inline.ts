import type { RootContent } from "mdast";
import type { Element } from "./elements.ts";
import type { References } from "./references.ts";
import { joinSpans, type Link, type Marks, plain, type Span } from "./span.ts";
import { isBlockElement } from "./tag.ts";

/** The marks and link that apply to a text. */
interface Setting {
  readonly marks: Marks;
  readonly link: Link | null;
}

const unset: Setting = { marks: plain, link: null };

/** Converts inline content to rich text. Images become their description, blocks their text with spaces between. */
export function toSpans(nodes: readonly RootContent[], references: References, setting = unset): Span[] {
  const pieces = nodes.map((node, index) => {
    const spans = spansOfNode(node, references, setting);
    return index > 0 && isBlock(node) ? [text(" ", unset), ...spans] : spans;
  });
  return joinSpans(pieces.flat());
}

function spansOfNode(node: RootContent, references: References, setting: Setting): Span[] {
  const within = (children: readonly RootContent[], marks: Partial<Marks>) =>
    toSpans(children, references, { ...setting, marks: { ...setting.marks, ...marks } });
  switch (node.type) {
    case "text":
      return [text(node.value.replace(/(?<! ) *\n */g, " "), setting)];
    case "break":
      return [text("\n", setting)];
    case "inlineCode":
      return [text(node.value, { ...setting, marks: { ...setting.marks, code: true } })];
    case "strong":
      return within(node.children, { bold: true });
    case "emphasis":
      return within(node.children, { italic: true });
    case "delete":
      return within(node.children, { strikethrough: true });
    case "link":
      return linked(node.children, node.url, references, setting);
    case "linkReference":
      return linked(node.children, references.definition(node.identifier) ?? "", references, setting);
    case "formula":
      // Another reader has taken the sign for the start of a tag.
      return [text(node.value.replaceAll("&lt;", "<"), setting)];
    case "wikiLink":
      return [references.wikiLink(node.value, setting.marks)];
    case "image":
    case "imageReference":
      return node.alt ? [text(node.alt, setting)] : [];
    case "footnoteReference":
      return [text(`[${node.label ?? node.identifier}]`, setting)];
    case "element":
      return spansOfElement(node, references, setting);
    case "code":
      return [text(node.value, { ...setting, marks: { ...setting.marks, code: true } })];
    default:
      return "children" in node ? toSpans(node.children, references, setting) : [];
  }
}

/** A link. Without text it shows its target, except for a heading of the same page. */
function linked(
  children: readonly RootContent[],
  target: string,
  references: References,
  setting: Setting,
): Span[] {
  const link = references.hyperlink(target) ?? setting.link;
  const words = toSpans(children, references, { ...setting, link });
  return words.length > 0 || /^(?:#|$)/.test(target) ? words : [text(target, { ...setting, link })];
}

const marksOfElement: Readonly<Record<string, Partial<Marks>>> = {
  b: { bold: true },
  strong: { bold: true },
  i: { italic: true },
  em: { italic: true },
  s: { strikethrough: true },
  del: { strikethrough: true },
  strike: { strikethrough: true },
  u: { underline: true },
  ins: { underline: true },
  code: { code: true },
  kbd: { code: true },
};

function spansOfElement(element: Element, references: References, setting: Setting): Span[] {
  if (element.name === "br") return [text("\n", setting)];
  if (element.name === "img") return [text(element.attributes.alt ?? "", setting)];
  if (isSign(element)) return [text(element.name, setting)];
  const marks = { ...setting.marks, ...marksOfElement[element.name] };
  const { href = sourceOf(element) } = element.attributes;
  return href === undefined
    ? toSpans(element.children, references, { ...setting, marks })
    : linked(element.children, href, references, { ...setting, marks });
}

/** The address of embedded media. */
function sourceOf({ name, attributes }: Element): string | undefined {
  return ["audio", "embed", "iframe", "video"].includes(name) ? attributes.src : undefined;
}

/** Whether an element is a component without content, such as `<Yes />`, which is shown as its name. */
function isSign({ name, attributes, children }: Element): boolean {
  return /^[A-Z]/.test(name) && children.length === 0 && Object.keys(attributes).length === 0;
}

/** Whether a node is a block. */
function isBlock(node: RootContent): boolean {
  if (node.type === "element") return isBlockElement(node.name);
  return ["paragraph", "heading", "listItem", "tableRow", "tableCell"].includes(node.type);
}

function text(value: string, { marks, link }: Setting): Span {
  return { kind: "text", text: value, marks, link };
}
