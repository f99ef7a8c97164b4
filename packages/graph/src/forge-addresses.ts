import type { Graph } from "./graph.ts";
import type { NodeId } from "./node.ts";

/** The address of a file or folder at a forge. */
export interface ForgeAddress {
  /** Host, owner and name of the repository, in lower case: `github.com/owner/name`. */
  readonly repository: string;
  /** The revision, whose name may have slashes, and the path. */
  readonly parts: readonly string[];
}

/** Addresses of GitHub, GitLab, Gitea, Forgejo and Bitbucket: the repository, a view of it, then revision and path. */
const shown = /^\/([^/]+\/.+?)\/(?:-\/)?(?:blob|tree|edit|blame|raw|src)\/(?:(?:branch|commit|tag)\/)?(.+)$/s;
const rawAtGithub = /^\/([^/]+\/[^/]+)\/(.+)$/;

/** Reads the address of a file or folder at a forge; null for any other address. */
export function readForgeAddress(address: string): ForgeAddress | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const isRaw = url.hostname === "raw.githubusercontent.com";
  const [, repository, rest] =
    (isRaw ? rawAtGithub : shown).exec(url.pathname.replace(/(?<!\/)\/+$/, "")) ?? [];
  const decoded = rest === undefined ? null : decodedPath(rest);
  if (repository === undefined || decoded === null) return null;
  const host = isRaw ? "github.com" : url.host;
  return { repository: `${host}/${repository}`.toLowerCase(), parts: decoded.split("/") };
}

function decodedPath(place: string): string | null {
  try {
    return decodeURIComponent(place);
  } catch {
    return null;
  }
}

const indexes = new WeakMap<Graph, ReadonlyMap<string, NodeId>>();

/**
 * The node of a graph whose file or folder an address at a forge shows, whatever revision it names; null if there is none, or the
 * address is none of a forge. The revision of the nodes' own addresses is taken to be one part: the name of a branch
 * without a slash, or a commit.
 */
export function nodeAtForge(graph: Graph, address: string): NodeId | null {
  const read = readForgeAddress(address);
  if (read === null) return null;
  const index = indexes.get(graph) ?? indexOf(graph);
  indexes.set(graph, index);
  for (let length = 1; length <= read.parts.length; length += 1) {
    const found = index.get(keyOf(read.repository, read.parts.slice(length)));
    if (found !== undefined) return found;
  }
  return null;
}

/** Files with the text of their folder. If a folder has several, the first one counts. */
const folderText = /^(?:index|_index|readme)\.mdx?$/i;

function indexOf(graph: Graph): ReadonlyMap<string, NodeId> {
  const index = new Map<string, NodeId>();
  const folders = new Map<string, { readonly id: NodeId; readonly name: string }>();
  for (let node = 0; node < graph.nodeCount; node += 1) {
    const { id, url } = graph.nodeAt(node);
    if (url === null) continue;
    const read = readForgeAddress(url);
    // All addresses of a graph are of one kind.
    if (read === null) break;
    const place = read.parts.slice(1);
    index.set(keyOf(read.repository, place), id);
    const name = place.at(-1)?.toLowerCase() ?? "";
    const folder = keyOf(read.repository, place.slice(0, -1));
    const known = folders.get(folder);
    if (folderText.test(name) && (known === undefined || rankOf(name) < rankOf(known.name)))
      folders.set(folder, { id, name });
  }
  for (const [folder, { id }] of folders) if (!index.has(folder)) index.set(folder, id);
  return index;
}

const ranks = ["index.", "_index.", "readme."];
const rankOf = (name: string): number => ranks.findIndex((start) => name.startsWith(start));

const keyOf = (repository: string, place: readonly string[]): string => `${repository}\n${place.join("/")}`;
