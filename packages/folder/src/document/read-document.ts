import type { Nodes, Root, RootContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { boundAutolinks } from "./autolink-syntax.ts";
import type { Block, Document, UnresolvedLink } from "./block.ts";
import { toBlocks } from "./blocks.ts";
import { PageBounds } from "./bounds.ts";
import { raiseElements } from "./elements.ts";
import { boundStrikethrough, emphasisSyntax } from "./emphasis-syntax.ts";
import { formulaSyntax, formulaTree } from "./formula-syntax.ts";
import { toSpans } from "./inline.ts";
import { boundNesting } from "./nesting.ts";
import { piecesOf } from "./pieces.ts";
import { prepare } from "./prepare.ts";
import { followReferences, type LinkResolver, type LinkTarget, writtenWikiLink } from "./references.ts";
import type { Flavour } from "./regions.ts";
import { plainText, type Span } from "./span.ts";
import { wikiLinkSyntax, wikiLinkTree } from "./wiki-syntax.ts";

/** The longest property or description that is parsed as Markdown, in UTF-16 code units; of a longer one, this much is shown. */
const maxLineLength = 65_536;

/** Targets of links, as they are written. */
interface WrittenTargets {
  readonly hyperlinks: ReadonlySet<string>;
  readonly wikiLinks: ReadonlySet<string>;
}

/** A part of a page's text, parsed. */
export interface ParsedPiece {
  /** Whether its first block is a table with further rows of the last one of the piece before. */
  readonly continuesTable: boolean;
  /** The targets that its links may have, as they are written. */
  targets(): WrittenTargets;
  /** Its blocks, with the links that it has. What they use of the bounds counts there. */
  document(resolver: LinkResolver<LinkTarget>, bounds: PageBounds): Document;
}

/** Parses a page piece by piece; an ordinary text is one piece. Never fails. The first `skip` pieces are left out. */
export function* parsePieces(body: string, flavour: Flavour, skip = 0): Generator<ParsedPiece> {
  let before: RootContent | undefined;
  for (const [index, { source, continuesTable }] of piecesOf(prepare(body, flavour)).entries()) {
    // The piece before the first one says at which number a list continues.
    if (index < skip - 1) continue;
    // Each by itself: a piece may begin within a line, and so with another nesting.
    const tree = parse(boundNesting(source), flavour);
    continueList(tree.children[0], before);
    before = tree.children.at(-1);
    if (index < skip) continue;
    const nodes = raiseElements(tree.children);
    const [first] = nodes;
    // The header is in the piece before.
    if (continuesTable && first?.type === "table") first.children.shift();
    yield {
      continuesTable,
      targets: () => targetsIn(nodes),
      document(resolver, bounds) {
        const references = followReferences(tree, resolver, bounds);
        return { blocks: toBlocks(nodes, references), unresolved: references.unresolved };
      },
    };
  }
}

/** The targets of links in parsed Markdown, and those of definitions and elements. */
function targetsIn(nodes: readonly RootContent[]): WrittenTargets {
  const hyperlinks = new Set<string>();
  const wikiLinks = new Set<string>();
  const pending: Nodes[] = [...nodes];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (node.type === "wikiLink") wikiLinks.add(writtenWikiLink(node.value).target);
    for (const target of hyperlinksOf(node)) hyperlinks.add(target);
    if ("children" in node) for (const child of node.children) pending.push(child);
  }
  return { hyperlinks, wikiLinks };
}

function hyperlinksOf(node: Nodes): readonly string[] {
  if (node.type === "link" || node.type === "definition") return [node.url];
  if (node.type !== "element") return [];
  const { href, src } = node.attributes;
  return [href, src].filter((target) => target !== undefined);
}

/** Gives a list that continues one of the piece before its number: in Markdown only the first number counts. */
function continueList(first: RootContent | undefined, before: RootContent | undefined): void {
  if (first?.type !== "list" || before?.type !== "list") return;
  if (first.ordered === true && before.ordered === true)
    first.start = (before.start ?? 1) + before.children.length;
}

/** Parses a page. Drops a first heading that repeats the title, because Notion shows the title separately. Never fails. */
export function readDocument(
  body: string,
  flavour: Flavour,
  title: string,
  resolver: LinkResolver,
): Document {
  const blocks: Block[] = [];
  const unresolved: UnresolvedLink[] = [];
  const bounds = new PageBounds();
  for (const piece of parsePieces(body, flavour)) {
    const read = piece.document(resolver, bounds);
    const last = blocks.at(-1);
    const [first, ...others] = read.blocks;
    if (piece.continuesTable && last?.type === "table" && first?.type === "table")
      blocks.splice(-1, 1, { ...last, children: [...last.children, ...first.children] }, ...others);
    else for (const block of read.blocks) blocks.push(block);
    for (const link of read.unresolved) unresolved.push(link);
    if (bounds.cut !== null) break;
  }
  return { blocks: withoutTitle(blocks, title), unresolved };
}

/** The blocks of a page's beginning without a first heading that repeats the title. */
export function withoutTitle(blocks: readonly Block[], title: string): readonly Block[] {
  return repeatsTitle(blocks[0], title) ? blocks.slice(1) : blocks;
}

/** Parses the Markdown of a property or a description. */
export function readLine(text: string, resolver: LinkResolver): Span[] {
  const tree = parse(boundNesting(prepare(text.slice(0, maxLineLength), "md")), "md");
  return toSpans(raiseElements(tree.children), followReferences(tree, resolver));
}

/** GitHub's Markdown, of which hostile texts take no more time than their length explains. */
const githubMarkdown = boundStrikethrough(boundAutolinks(gfm()));

function parse(source: string, flavour: Flavour): Root {
  // Only inline tags are parsed, and JSX may be indented (https://mdxjs.com/docs/what-is-mdx/#markdown).
  const disabled = flavour === "mdx" ? ["htmlFlow", "codeIndented"] : ["htmlFlow"];
  const tree = fromMarkdown(source, {
    extensions: [
      githubMarkdown,
      emphasisSyntax(),
      wikiLinkSyntax(),
      formulaSyntax(),
      { disable: { null: disabled } },
    ],
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
