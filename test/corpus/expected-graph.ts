import { readdir } from "node:fs/promises";
import path from "node:path";
import { idOf } from "../../packages/folder/src/workspace/ids.ts";
import { type FolderLinks, readLinks } from "./count-links.ts";
import { expectedTitle } from "./expected-title.ts";

/** A page or database of a folder of Markdown. Paths are POSIX, relative to the folder. */
export interface ExpectedNode {
  readonly path: string;
  readonly type: "page" | "database";
  readonly title: string;
  /** The path of its folder; null at the top. */
  readonly parent: string | null;
}

/**
 * The graph that a folder should have, computed independently of Clew and its stand-in, except for the rule that derives
 * ids from paths.
 */
export interface ExpectedGraph {
  /** By id. */
  readonly nodes: ReadonlyMap<string, ExpectedNode>;
  /** The number of links or mentions from one page to another, by `edgeKey`, without those to itself. */
  readonly references: ReadonlyMap<string, number>;
  readonly unresolved: FolderLinks["unresolved"];
  /** The number of unresolved links or mentions of a page, by `link in <path>`. */
  readonly toNowhere: ReadonlyMap<string, number>;
}

/** The key of a reference: its type and the paths of its ends. */
export const edgeKey = (type: string, from: string, to: string) => `${type}: ${from} → ${to}`;

/** Reads a folder of Markdown. Pages and folders with pages are nodes; the index page is the text of its folder. */
export async function readExpectedGraph(root: string): Promise<ExpectedGraph> {
  const folders = await readFolders(root, "");
  const nodes = (await Promise.all(folders.map((folder) => nodesOf(root, folder)))).flat();
  const { links, unresolved } = await readLinks(root);
  return {
    nodes: new Map(nodes.map((node) => [idOf(node.type, node.path), node])),
    references: referencesOf(links, nodeOfFile(folders)),
    unresolved,
    toNowhere: toNowhere(unresolved, nodeOfFile(folders)),
  };
}

/** The nodes of a folder and of its files, except the index page. */
async function nodesOf(
  root: string,
  { path: folder, files, index, isDatabase }: Folder,
): Promise<ExpectedNode[]> {
  const nodes: ExpectedNode[] = [];
  if (folder !== "") {
    const title = await expectedTitle(root, folder, isDatabase ? "_database.yml" : index, true);
    nodes.push({ path: folder, type: isDatabase ? "database" : "page", title, parent: parentOf(folder) });
  }
  for (const file of files.filter((name) => name !== index)) {
    const place = path.posix.join(folder, file);
    nodes.push({
      path: place,
      type: "page",
      title: await expectedTitle(root, folder, file, false),
      parent: parentOf(place),
    });
  }
  return nodes;
}

/** The path of the node that a file is the text of. */
function nodeOfFile(folders: readonly Folder[]): ReadonlyMap<string, string> {
  const indexes = folders.filter(({ index }) => index !== undefined);
  return new Map(indexes.map(({ path: folder, index = "" }) => [path.posix.join(folder, index), folder]));
}

function referencesOf(
  links: FolderLinks["links"],
  nodeOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const references = new Map<string, number>();
  for (const { from, to, raw } of links) {
    const [source, target] = [nodeOf.get(from) ?? from, nodeOf.get(to) ?? to];
    const key = edgeKey(raw.startsWith("[[") ? "mention" : "link", source, target);
    if (source !== target) references.set(key, (references.get(key) ?? 0) + 1);
  }
  return references;
}

function toNowhere(
  unresolved: FolderLinks["unresolved"],
  nodeOf: ReadonlyMap<string, string>,
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { from, raw, reason } of unresolved) {
    if (reason === "not a page (asset)") continue;
    const key = `${raw.startsWith("[[") ? "mention" : "link"} in ${nodeOf.get(from) ?? from}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

interface Folder {
  /** Empty for the root. */
  readonly path: string;
  /** The names of its pages. */
  readonly files: readonly string[];
  /** The name of its index page. */
  readonly index: string | undefined;
  readonly isDatabase: boolean;
}

/** The folders with pages at any depth, from the top down. */
async function readFolders(root: string, folder: string): Promise<Folder[]> {
  const entries = await readdir(path.join(root, folder), { withFileTypes: true });
  const visible = entries.filter(({ name }) => !name.startsWith("."));
  const files = visible.filter((entry) => entry.isFile()).map(({ name }) => name);
  const pages = files.filter((name) => /\.mdx?$/i.test(name));
  const below: Folder[] = [];
  for (const { name } of visible.filter((entry) => entry.isDirectory())) {
    below.push(...(await readFolders(root, path.posix.join(folder, name))));
  }
  const isDatabase = files.includes("_database.yml");
  if (pages.length === 0 && below.length === 0 && !isDatabase) return [];
  const index = folder === "" ? undefined : indexOf(pages, isDatabase ? [] : [path.posix.basename(folder)]);
  return [{ path: folder, files: pages, index, isDatabase }, ...below];
}

function indexOf(pages: readonly string[], ownNames: readonly string[]): string | undefined {
  return ["index", "_index", "readme", ...ownNames.map((name) => name.toLowerCase())]
    .flatMap((name) => [`${name}.md`, `${name}.mdx`])
    .map((wanted) => pages.find((name) => name.toLowerCase() === wanted))
    .find((name) => name !== undefined);
}

function parentOf(node: string): string | null {
  const folder = path.posix.dirname(node);
  return folder === "." ? null : folder;
}
