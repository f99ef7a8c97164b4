import type { Nodes, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import type { Extension } from "micromark-util-types";
import type { Block, Document } from "./block.ts";
import { toBlocks } from "./blocks.ts";
import { raiseElements } from "./elements.ts";
import { formulaSyntax, formulaTree } from "./formula-syntax.ts";
import { toSpans } from "./inline.ts";
import { boundNesting } from "./nesting.ts";
import { prepare } from "./prepare.ts";
import { followReferences, type LinkResolver } from "./references.ts";
import type { Flavour } from "./regions.ts";
import { plain, plainText, type Span } from "./span.ts";
import { wikiLinkSyntax, wikiLinkTree } from "./wiki-syntax.ts";

/** Longer texts, in UTF-16 code units, are not parsed, because that would take seconds. */
const maxParsedLength = 1_000_000;

/** Whether a text is too long to be parsed. */
export function isTooLong(body: string): boolean {
  return body.length > maxParsedLength;
}

/** Parses a page. Drops a first heading that repeats the title, because Notion shows the title separately. Never fails. */
export function readDocument(
  body: string,
  flavour: Flavour,
  title: string,
  resolver: LinkResolver,
): Document {
  if (isTooLong(body)) return { blocks: paragraphs(body), unresolved: [] };
  const tree = parse(boundNesting(prepare(body, flavour)), flavour);
  const references = followReferences(tree, resolver);
  const blocks = toBlocks(raiseElements(tree.children), references);
  return {
    blocks: repeatsTitle(blocks[0], title) ? blocks.slice(1) : blocks,
    unresolved: references.unresolved,
  };
}

/** Parses the Markdown of a property or a description. */
export function readLine(text: string, resolver: LinkResolver): Span[] {
  const tree = parse(boundNesting(prepare(text, "md")), "md");
  return toSpans(raiseElements(tree.children), followReferences(tree, resolver));
}

/**
 * GitHub's Markdown without the part of the parser that looks for an email address at each letter, which took half of the
 * time: the tree's extension finds them in texts.
 */
const githubMarkdown = withoutEmails(gfm());

function withoutEmails(syntax: Extension): Extension {
  const text = Object.entries(syntax.text ?? {}).map(([code, constructs = []]) => {
    const kept = [constructs].flat().filter(({ name }) => name !== "emailAutolink");
    return [code, kept] as const;
  });
  return { ...syntax, text: Object.fromEntries(text) };
}

function parse(source: string, flavour: Flavour): Root {
  // Only inline tags are parsed, and JSX may be indented (https://mdxjs.com/docs/what-is-mdx/#markdown).
  const disabled = flavour === "mdx" ? ["htmlFlow", "codeIndented"] : ["htmlFlow"];
  const tree = fromMarkdown(source, {
    extensions: [githubMarkdown, wikiLinkSyntax(), formulaSyntax(), { disable: { null: disabled } }],
    mdastExtensions: [gfmFromMarkdown(), wikiLinkTree(), formulaTree()],
  });
  flattenDepths(tree);
  return tree;
}

const maxDepth = 100;

/** Flattens very deep nesting to plain text, so that no later step overflows the stack. */
function flattenDepths(tree: Root): void {
  const pending: { node: Nodes; depth: number }[] = [{ node: tree, depth: 0 }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next;
    if (!("children" in node)) continue;
    if (depth > maxDepth && (node.type === "blockquote" || node.type === "listItem")) {
      node.children = [{ type: "paragraph", children: [{ type: "text", value: textOf(node) }] }];
    } else if (
      depth > maxDepth &&
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
