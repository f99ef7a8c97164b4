import type { Content, Edge, Neighbors, NodeDetail, SearchResults } from "@clew/contract";
import { call } from "./call.ts";
import { titleWord } from "./linked-pages.ts";

/** A node with its text and the edges that leave it. */
export interface NodeWithReferences {
  readonly detail: NodeDetail;
  /** Null where Clew has no text of it. */
  readonly markdown: string | null;
  readonly edges: readonly Edge[];
}

/**
 * All that the session door shows of a workspace of linked pages, in an order of its own. Addresses at `base` begin with
 * `clew:/`, so that two Clews of the same pages show the same.
 */
export async function readWholeGraph(base: URL, token: string): Promise<NodeWithReferences[]> {
  const ids = await readNodeIds(base, token);
  return inTurns(ids.sort(), 8, (id) => readNode(base, token, id));
}

/** The ids of all nodes of a workspace of linked pages. */
export async function readNodeIds(base: URL, token: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ q: titleWord, limit: "100", ...(cursor && { cursor }) });
    const answer = await call<SearchResults>(base, `api/provider-graph/search/?${query}`, { token });
    if (answer.status !== 200) throw new Error(`search answered ${JSON.stringify(answer)}`);
    ids.push(...answer.body.items.map(({ node }) => node.id));
    cursor = answer.body.next_cursor;
  }
  return ids;
}

async function readNode(base: URL, token: string, id: string): Promise<NodeWithReferences> {
  const path = `api/provider-graph/nodes/${id}`;
  const [detail, content, neighbors] = await Promise.all([
    call<NodeDetail>(base, `${path}/`, { token }),
    call<Content>(base, `${path}/content/`, { token }),
    call<Neighbors>(base, `${path}/neighbors/?direction=out&limit=200`, { token }),
  ]);
  for (const answer of [detail, content, neighbors]) {
    if (answer.status !== 200) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
  }
  if (neighbors.body.next_cursor !== null) throw new Error(`${path} has more neighbours than were asked for`);
  const edges = neighbors.body.items.flatMap((item) => item.edges);
  const node = { detail: detail.body, markdown: content.body.markdown, edges };
  return JSON.parse(JSON.stringify(node).replaceAll(base.href, "clew:/"));
}

/** Does the work on every item, at most `width` of them at a time; the results are in the items' order. */
async function inTurns<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
