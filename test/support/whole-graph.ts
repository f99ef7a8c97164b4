import { createClient } from "@clew/client";
import type { Edge, NodeDetail } from "@clew/contract";
import { titleWord } from "./markdown-folder.ts";

/** A node with its text and its outgoing edges. */
export interface NodeWithReferences {
  readonly detail: NodeDetail;
  /** Null if Clew has no text of it. */
  readonly markdown: string | null;
  readonly edges: Edge[];
}

/**
 * Everything that a session reads of a workspace of linked pages, sorted by title. Addresses below `base` begin with `clew:/` instead,
 * and titles, of which no two are equal, take the place of ids: so two Clews with the same pages have equal graphs.
 */
export async function readWholeGraph(base: URL, token: string): Promise<NodeWithReferences[]> {
  const ids = await readNodeIds(base, token);
  const nodes = await mapConcurrently(ids, 8, (id) => readNode(base, token, id));
  const titles = new Map(nodes.map(({ detail }) => [detail.id.replaceAll("-", ""), detail.title]));
  const named = nodes.map(({ detail, markdown, edges }) => {
    const node = JSON.stringify({ detail: { ...detail, workspace_id: "" }, markdown, edges });
    const words = node.replaceAll(
      /[0-9a-f]{8}-?(?:[0-9a-f]{4}-?){3}[0-9a-f]{12}/g,
      (id) => titles.get(id.replaceAll("-", "")) ?? id,
    );
    // Titles are words alone, so this is JSON of the same form.
    return JSON.parse(words) as NodeWithReferences;
  });
  for (const { edges } of named) edges.sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  return named.sort((a, b) => (a.detail.title < b.detail.title ? -1 : 1));
}

/** The ids of all nodes of a workspace of linked pages. */
export async function readNodeIds(base: URL, token: string): Promise<string[]> {
  const ids: string[] = [];
  const results = createClient({ url: base, token }).iterate("searchPages", { q: titleWord, limit: 100 });
  for await (const { node } of results) ids.push(node.id);
  return ids;
}

async function readNode(base: URL, token: string, id: string): Promise<NodeWithReferences> {
  const client = createClient({ url: base, token });
  const [detail, { markdown }, neighbors] = await Promise.all([
    client.getPage({ id }),
    client.getPageContent({ id }),
    client.listNeighbors({ id, direction: "out", limit: 200 }),
  ]);
  if (neighbors.next_cursor !== null) throw new Error(`node ${id} has more than 200 neighbours`);
  const node = { detail, markdown, edges: neighbors.items.flatMap((item) => item.edges) };
  return JSON.parse(JSON.stringify(node).replaceAll(base.href, "clew:/"));
}

/** Maps items in order, at most `concurrency` at a time. */
async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  concurrency: number,
  map: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return results;
}
