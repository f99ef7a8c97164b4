import { placeBlocks } from "./document/block.ts";
import { readDocument } from "./document/read-document.ts";
import type { LinkResolver } from "./document/references.ts";
import { enhancedMarkdown } from "./document/write-markdown.ts";

/**
 * Reads a file of Markdown as a page of a folder is read, and writes it as Notion's enhanced Markdown. Links keep the
 * addresses that they have in the file. Leaves out a first heading that repeats the title.
 */
export function readMarkdownFile(body: string, title: string): string {
  const { blocks } = readDocument(body, "md", title, keepAddresses);
  const placed = placeBlocks(title, blocks);
  return enhancedMarkdown({ id: title }, placed, nothingElse, Number.POSITIVE_INFINITY).markdown;
}

/** Finds no other page, so that no link becomes one to an id. */
const keepAddresses: LinkResolver = {
  hyperlink: () => ({ kind: "elsewhere" }),
  wikiLink: () => ({ kind: "elsewhere" }),
};

const nothingElse = {
  addresses: { ofId: (id: string) => id, ofBlock: (_: string, id: string) => id },
  entry: () => null,
  titleOf: () => "",
};
