import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Inline, inlineTree, type TreeBlock } from "@clew/text";
import { type ReadPage, readPage } from "../../packages/dashboard/site/read-page.ts";

export const root = join(import.meta.dirname, "../..");

/** The files of the documentation: those for people who use or change Clew, and all below `docs`. */
export const docsFiles: readonly string[] = [
  ...["README.md", "SECURITY.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"],
  ...globSync("docs/**/*.md", { cwd: root }).toSorted(),
];

export const sourceOf = (file: string): string => readFileSync(join(root, file), "utf8");

const read = new Map<string, ReadPage>();

/** A page as the site has it. Read once. */
export function pageOf(file: string): ReadPage {
  const known = read.get(file);
  if (known !== undefined) return known;
  const page = readPage(sourceOf(file));
  read.set(file, page);
  return page;
}

/** The addresses of all links and pictures of a page, as they are written. */
export function addressesOf({ blocks }: ReadPage): string[] {
  return blocks.flatMap(addressesOfBlock);
}

function addressesOfBlock(block: TreeBlock): string[] {
  const lines = "line" in block ? [block.line] : [];
  const cells = block.kind === "table" ? block.rows.flat() : [];
  const own = [...lines, ...cells].flatMap((line) => inlineTree(line).flatMap(addressesOfInline));
  return [...own, ...block.children.flatMap(addressesOfBlock)];
}

function addressesOfInline(piece: Inline): string[] {
  const own = "address" in piece ? [piece.address] : [];
  return "children" in piece ? [...own, ...piece.children.flatMap(addressesOfInline)] : own;
}
