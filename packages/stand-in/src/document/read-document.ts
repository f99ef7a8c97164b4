import type { Nodes, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Block, Document } from "./block.ts";
import { toBlocks } from "./blocks.ts";
import { raiseElements } from "./elements.ts";
import { toSpans } from "./inline.ts";
import { prepare } from "./prepare.ts";
import { followReferences, type LinkResolver } from "./references.ts";
import type { Flavour } from "./regions.ts";
import { plain, plainText, type Span } from "./span.ts";
import { wikiLinkSyntax, wikiLinkTree } from "./wiki-syntax.ts";

/** Texts longer than this, in UTF-16 code units, are taken as they are: parsing them would take seconds. */
const longestParsed = 1_000_000;

/** Whether a text is too long for its links to be followed. */
export function isTooLong(body: string): boolean {
  return body.length > longestParsed;
}

/**
 * Reads a page's Markdown. A first heading that only repeats the title is left out, for the provider shows a title apart
 * from the text. Never fails: what is no Markdown is text.
 */
export function readDocument(
  body: string,
  flavour: Flavour,
  title: string,
  resolver: LinkResolver,
): Document {
  if (isTooLong(body)) return { blocks: paragraphs(body), unresolved: [] };
  const tree = parse(prepare(body, flavour), flavour);
  const references = followReferences(tree, resolver);
  const blocks = toBlocks(raiseElements(tree.children), references);
  return {
    blocks: repeatsTitle(blocks[0], title) ? blocks.slice(1) : blocks,
    unresolved: references.unresolved,
  };
}

/** Reads a line of Markdown, as a property or a description holds it. */
export function readLine(text: string, resolver: LinkResolver): Span[] {
  const tree = parse(prepare(text, "md"), "md");
  return toSpans(raiseElements(tree.children), followReferences(tree, resolver));
}

function parse(source: string, flavour: Flavour): Root {
  // Tags are read within lines alone, and JSX is indented at will (https://mdxjs.com/docs/what-is-mdx/#markdown).
  const disabled = flavour === "mdx" ? ["htmlFlow", "codeIndented"] : ["htmlFlow"];
  const tree = fromMarkdown(source, {
    extensions: [gfm(), wikiLinkSyntax(), { disable: { null: disabled } }],
    mdastExtensions: [gfmFromMarkdown(), wikiLinkTree()],
  });
  flattenDepths(tree);
  return tree;
}

const deepest = 100;

/** Puts plain text in place of what is nested too deep for anyone to mean it, so that no later step runs out of stack. */
function flattenDepths(tree: Root): void {
  const pending: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    if (!("children" in node)) continue;
    if (depth > deepest && (node.type === "blockquote" || node.type === "listItem")) {
      node.children = [{ type: "paragraph", children: [{ type: "text", value: textOf(node) }] }];
    } else if (
      depth > deepest &&
      (node.type === "emphasis" || node.type === "strong" || node.type === "delete")
    ) {
      node.children = [{ type: "text", value: textOf(node) }];
    } else {
      pending.push(...node.children.map((child: RootContent) => ({ node: child, depth: depth + 1 })));
    }
  }
}

function textOf(node: Nodes): string {
  const words: string[] = [];
  const pending: Nodes[] = [node];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("value" in next) words.push(next.value);
    if ("children" in next) pending.push(...next.children.toReversed());
  }
  return words.join(" ");
}

function repeatsTitle(block: Block | undefined, title: string): boolean {
  if (block?.type !== "heading" || block.level !== 1) return false;
  const linked = block.text.some((span) => span.kind === "mention" || span.link !== null);
  return !linked && plainText(block.text).replace(/\s+/g, " ").trim() === title;
}

function paragraphs(body: string): Block[] {
  return body
    .split(/\n{2,}/)
    .filter((text) => text.trim() !== "")
    .map((text) => ({
      type: "paragraph",
      text: [{ kind: "text", text, marks: plain, link: null }],
      children: [],
    }));
}
