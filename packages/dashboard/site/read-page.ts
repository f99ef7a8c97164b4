import { readMarkdownFile } from "@clew/folder/markdown";
import { blockTree, inlineTree, type TreeBlock, textOf } from "@clew/text";
import type { DocsHeading, SearchSection } from "../src/docs/site-page.ts";

/** A page of the documentation, as it is read from its file. */
export interface ReadPage {
  readonly title: string;
  readonly blocks: readonly TreeBlock[];
  readonly headings: ReadonlyMap<TreeBlock, DocsHeading>;
}

/**
 * Reads a file of the documentation the way that a folder of Markdown takes to the dashboard: packages/stand-in makes Clew's
 * Markdown of it, and packages/text the tree of blocks. Throws if it does not begin with a title.
 */
export function readPage(source: string): ReadPage {
  const [, heading] = /^# (.+)$/m.exec(source) ?? [];
  if (heading === undefined) throw new Error("The page has no title.");
  const title = textOf(inlineTree(heading));
  const blocks = blockTree(readMarkdownFile(withLinkedPictures(source), title));
  const anchorOf = anchors();
  // The title of the page is its first name.
  anchorOf(title);
  const headings = new Map<TreeBlock, DocsHeading>();
  const lowered = blocks.map((block) => {
    if (block.kind !== "heading") return block;
    const text = textOf(inlineTree(block.line));
    const below = { ...block, level: block.level - 1 };
    headings.set(below, { text, level: block.level, anchor: anchorOf(text) });
    return below;
  });
  return { title, blocks: lowered, headings };
}

/** Turns pictures into links to them, which the site shows as pictures: a page of a workspace has none in a line or in a table. */
function withLinkedPictures(source: string): string {
  return source
    .replaceAll(/!\[([^\]]*)\]\(([\w./-]+\.(?:webp|svg))\)/g, "[$1]($2)")
    .replaceAll(/<img src="([\w./-]+)" alt="([^"]*)"[^>]*>/g, "[$2]($1)")
    .replaceAll(/<\/?picture>|<source [^>]*>/g, "");
}

/** Makes the names of headings as GitHub does: a name that was used gets a number. */
function anchors(): (heading: string) => string {
  const used = new Map<string, number>();
  return (heading) => {
    const name = heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "")
      .replaceAll(" ", "-");
    const times = used.get(name) ?? 0;
    used.set(name, times + 1);
    return times === 0 ? name : `${name}-${times}`;
  };
}

/** The parts of a page that search knows, one for each heading. `address` is that of the page below `/docs/`. */
export function searchSectionsOf(page: ReadPage, address: string): SearchSection[] {
  const sections: (SearchSection & { lines: string[] })[] = [];
  const begin = (heading: string, href: string) =>
    sections.push({ page: page.title, heading, href, text: "", lines: [] });
  begin("", address === "" ? "./" : address);
  for (const block of page.blocks) {
    const heading = page.headings.get(block);
    if (heading === undefined) sections.at(-1)?.lines.push(...linesOf(block));
    else begin(heading.text, `${address === "" ? "./" : address}#${heading.anchor}`);
  }
  return sections.map(({ lines, ...section }) => ({
    ...section,
    text: lines.join(" ").replaceAll(/\s+/g, " "),
  }));
}

function linesOf(block: TreeBlock): string[] {
  const lines: string[] = [];
  if ("line" in block) lines.push(textOf(inlineTree(block.line)));
  if ("text" in block) lines.push(block.text);
  if (block.kind === "table") lines.push(...block.rows.flat().map((cell) => textOf(inlineTree(cell))));
  return [...lines, ...block.children.flatMap(linesOf)];
}
