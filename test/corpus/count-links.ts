/**
 * Counts the internal links of a folder of Markdown with a line scanner and patterns, without a Markdown library. Tests
 * compare the stand-in and the sync with it.
 *
 *     node test/corpus/count-links.ts <folder> [--json]
 */
import { readFile } from "node:fs/promises";
import path from "node:path";
import { parseArgs } from "node:util";
import { type FolderPages, type Reason, type Resolution, readFolderPages } from "./folder-pages.ts";
import { partFrontMatter } from "./front-matter.ts";
import { type Definitions, linksIn, takeDefinitions, type WrittenLink } from "./inline-links.ts";
import { type Dialect, passagesOf } from "./passages.ts";

/** A link to a page's file, or to a folder without a page of its own (`to`, relative to the root). */
interface ResolvedLink {
  readonly from: string;
  readonly to: string;
  /** The address as written, or `[[…]]`. */
  readonly raw: string;
  readonly line: number;
}

interface UnresolvedLink {
  readonly from: string;
  readonly raw: string;
  readonly line: number;
  readonly reason: Reason;
}

export interface FolderLinks {
  /** Every `.md` and `.mdx` file, POSIX paths relative to the root. */
  readonly pages: readonly string[];
  readonly links: readonly ResolvedLink[];
  readonly unresolved: readonly UnresolvedLink[];
}

/** The internal links of a folder, without links to a heading of the same page. */
export async function readLinks(folder: string): Promise<FolderLinks> {
  const folderPages = await readFolderPages(folder);
  const links: ResolvedLink[] = [];
  const unresolved: UnresolvedLink[] = [];
  for (const from of folderPages.pages) {
    const source = await readFile(path.join(folder, from), "utf8");
    for (const link of writtenLinks(source, /\.mdx$/i.test(from) ? "mdx" : "md")) {
      const resolution = resolve(folderPages, from, link);
      if (resolution === null) continue;
      const raw = link.kind === "wiki" ? `[[${link.target}]]` : link.target;
      const place = { from, raw, line: link.line };
      if ("to" in resolution) links.push({ ...place, to: resolution.to });
      else unresolved.push({ ...place, reason: resolution.reason });
    }
  }
  return { pages: folderPages.pages, links, unresolved };
}

/** The links of one file as they are written, including those to other sites. */
export function writtenLinks(source: string, dialect: Dialect): WrittenLink[] {
  const { body, firstLine } = partFrontMatter(source);
  const definitions: Definitions = new Map();
  const passages = passagesOf(body, firstLine, dialect).map((passage) =>
    takeDefinitions(passage, definitions),
  );
  return passages.flatMap((passage) => linksIn(passage, definitions, dialect));
}

function resolve(pages: FolderPages, from: string, link: WrittenLink): Resolution | null {
  return link.kind === "wiki" ? pages.resolveWiki(from, link.target) : pages.resolve(from, link.target);
}

function report({ pages, links, unresolved }: FolderLinks): string {
  const pairs = new Set(links.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from}\n${to}`));
  const rows: [string, number][] = [
    ["pages", pages.length],
    ["links to a page", links.length],
    ["distinct pairs of pages", pairs.size],
    ["links to nowhere", unresolved.length],
  ];
  const reasons = Map.groupBy(unresolved, ({ reason }) => reason);
  for (const [reason, found] of reasons) rows.push([`  ${reason}`, found.length]);
  return rows.map(([name, count]) => `${name.padEnd(26)}${String(count).padStart(7)}`).join("\n");
}

if (import.meta.main) {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { json: { type: "boolean", default: false } },
  });
  const [folder] = positionals;
  if (folder === undefined) {
    console.error("usage: node test/corpus/count-links.ts <folder> [--json]");
    process.exitCode = 2;
  } else {
    const found = await readLinks(folder);
    console.log(values.json ? JSON.stringify(found, null, 2) : report(found));
  }
}
