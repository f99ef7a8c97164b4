import type { Html, Paragraph, Parent, Parents, RootContent } from "mdast";
import { isBlockElement, readTag, type Tag } from "./tag.ts";

/** An HTML or JSX element with its Markdown content: blocks if it is a block element, else inline content. */
export interface Element extends Parent {
  type: "element";
  name: string;
  attributes: Readonly<Record<string, string>>;
  children: RootContent[];
}

declare module "mdast" {
  interface RootContentMap {
    element: Element;
  }
  interface PhrasingContentMap {
    element: Element;
  }
}

type Piece = RootContent | Tag;

/** Replaces the tags in parsed Markdown by elements that contain everything between them. */
export function raiseElements(nodes: readonly RootContent[]): RootContent[] {
  return nest(
    nodes.flatMap((node) => (node.type === "paragraph" ? splitParagraph(node) : [raiseWithin(node)])),
  );
}

/** The same for inline content. */
function raisePhrases(nodes: readonly RootContent[]): RootContent[] {
  return nest(nodes.flatMap((node) => (node.type === "html" ? (tagOf(node) ?? []) : raiseWithin(node))));
}

function raiseWithin(node: RootContent): RootContent {
  if (!("children" in node)) return node;
  const raise = holdsBlocks(node) ? raiseElements : raisePhrases;
  // The children keep their kind, which the types of the tree cannot express.
  return { ...node, children: raise(node.children) } as RootContent;
}

function holdsBlocks(node: Parents): boolean {
  return ["blockquote", "list", "listItem", "footnoteDefinition"].includes(node.type);
}

/** Splits a paragraph at the tags of block elements. */
function splitParagraph(paragraph: Paragraph): Piece[] {
  const pieces: Piece[] = [];
  let line: RootContent[] = [];
  const endLine = () => {
    if (line.some((node) => node.type !== "text" || node.value.trim() !== "")) {
      // Inline content stays inline content, which the types of the tree cannot express.
      pieces.push({ type: "paragraph", children: raisePhrases(line) } as Paragraph);
    }
    line = [];
  };
  for (const node of paragraph.children) {
    const tag = node.type === "html" ? tagOf(node) : null;
    if (tag !== null && isBlockElement(tag.name)) {
      endLine();
      pieces.push(tag);
    } else {
      line.push(node);
    }
  }
  endLine();
  return pieces;
}

function tagOf(node: Html): Tag | null {
  return readTag(node.value, 0);
}

/** Elements whose end tag is optional in HTML. */
const selfEnding = new Set(["p", "li", "td", "th", "tr", "dt", "dd"]);
const maxDepth = 50;

interface Frame {
  readonly tag: Tag | null;
  readonly children: RootContent[];
}

/** Pairs tags. Drops end tags without a start tag; a start tag without an end tag becomes an empty element. */
function nest(pieces: readonly Piece[]): RootContent[] {
  const root: Frame = { tag: null, children: [] };
  const open: Frame[] = [];
  const innermost = () => open.at(-1) ?? root;
  const end = (closed: boolean) => {
    const frame = open.pop();
    if (frame?.tag) innermost().children.push(...elementOf(frame.tag, frame.children, closed));
  };
  for (const piece of pieces) {
    if ("type" in piece) innermost().children.push(piece);
    else if (piece.kind === "empty") innermost().children.push(...elementOf(piece, [], true));
    else if (piece.kind === "open" && open.length < maxDepth) open.push({ tag: piece, children: [] });
    else if (piece.kind === "close") {
      const start = open.findLastIndex((frame) => frame.tag?.name === piece.name);
      while (start !== -1 && open.length > start) end(open.length === start + 1);
    }
  }
  while (open.length > 0) end(false);
  return root.children;
}

function elementOf(tag: Tag, children: RootContent[], closed: boolean): RootContent[] {
  const element = { type: "element", name: tag.name, attributes: tag.attributes } as const;
  return closed || selfEnding.has(tag.name)
    ? [{ ...element, children }]
    : [{ ...element, children: [] }, ...children];
}
