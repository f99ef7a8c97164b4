import path from "node:path";
import { openWorkspace } from "@clew/folder";
import { openServedFolder } from "../corpus/served-graph.ts";
import { docusaurus } from "./truth/docusaurus.ts";
import { readFiles, type Truth } from "./truth/folder.ts";
import { hugo } from "./truth/hugo.ts";
import { logseq } from "./truth/logseq.ts";
import { mdbook } from "./truth/mdbook.ts";
import { obsidian } from "./truth/obsidian.ts";
import { plain } from "./truth/plain.ts";
import { starlight } from "./truth/starlight.ts";
import { vitepress } from "./truth/vitepress.ts";

/** The rules of tools, written from their documentation, by the names that reports have. */
const truths: Readonly<Record<string, Truth>> = {
  Obsidian: obsidian,
  Logseq: logseq,
  Hugo: hugo,
  Docusaurus: docusaurus,
  "Astro Starlight": starlight,
  mdBook: mdbook,
  VitePress: vitepress,
  "plain Markdown": plain,
};

/** The pages of a search among which one with that name must be. */
const limit = 20;

/** The links between the pages of a folder, as the folder's tool makes them and as Clew serves them. */
export interface Comparison {
  readonly dialect: string;
  readonly pages: number;
  /** Pairs of files between which the tool sees a link, other than to itself. */
  readonly links: number;
  /** Links that Clew does not serve, and links that only Clew has: `from → to`. */
  readonly missing: readonly string[];
  readonly extra: readonly string[];
  /** Files whose name, or that of their folder, does not find them among the first 20 pages of a search, though no more have it. */
  readonly notFound: readonly string[];
}

/** Serves a folder, and compares its graph with the links that its tool sees. Throws if the folder is of no known tool. */
export async function compareWithTool(directory: string): Promise<Comparison> {
  const { entries, report } = (await openWorkspace(directory)).current();
  const dialect = report.dialect ?? "";
  const truth = truths[dialect];
  if (truth === undefined) throw new Error(`no rules are written for a folder of ${dialect}`);
  const links = await truth(await readFiles(directory));
  const wanted = new Set(
    links.filter(({ from, to }) => from !== to).map(({ from, to }) => `${from} → ${to}`),
  );
  const fileOf = new Map(entries.map((entry) => [entry.id, entry.file?.path ?? `${entry.path}/`]));
  const served = await openServedFolder(directory);
  try {
    const { edges } = await served.read([...fileOf.keys()]);
    const linked = edges.filter(({ type, from, to }) => type !== "child" && from !== to);
    const has = new Set(linked.map(({ from, to }) => `${fileOf.get(from)} → ${fileOf.get(to)}`));
    const notFound: string[] = [];
    const nameOf = (place: string) => path.posix.basename(place).replace(/\.mdx?$/i, "");
    const byName = Map.groupBy(entries, (entry) => nameOf(entry.path).toLowerCase());
    for (const { id, file, path: place } of entries) {
      const query = nameOf(place).slice(0, 200);
      if (file === null || (byName.get(query.toLowerCase())?.length ?? 0) > limit) continue;
      const { items } = await served.client.searchPages({ q: query, limit });
      if (!items.some(({ node }) => node.id === id)) notFound.push(file.path);
    }
    return {
      dialect,
      pages: entries.filter(({ file }) => file !== null).length,
      links: wanted.size,
      missing: [...wanted.difference(has)],
      extra: [...has.difference(wanted)],
      notFound,
    };
  } finally {
    await served.close();
  }
}
