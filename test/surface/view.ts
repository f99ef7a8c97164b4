import assert from "node:assert/strict";
import type { Edge, Neighbors, NodeDetail, SearchResults } from "@clew/contract";
import type { RawAnswer, Send } from "../support/raw-request.ts";
import { get } from "./surface.ts";

/** An audience, with a token for it. */
export interface Audience {
  readonly base: "/api/v1" | "/api/provider-graph";
  readonly token: string;
}

/** Everything that an audience can read with a token. */
export interface View {
  /** Ids of the nodes that search finds, by title. */
  readonly ids: ReadonlyMap<string, string>;
  readonly details: readonly NodeDetail[];
  /** Every edge, once. */
  readonly edges: readonly Edge[];
  /** Every response by its path below the base. */
  readonly answers: ReadonlyMap<string, RawAnswer>;
}

/** Calls every operation for everything that search finds by these titles. */
export async function look(send: Send, { base, token }: Audience, titles: readonly string[]): Promise<View> {
  const answers = new Map<string, RawAnswer>();
  const ask = async <Body>(path: string): Promise<Body> => {
    const answer = await get(send, base + path, token);
    assert.equal(answer.status, 200, `${path} ${answer.text}`);
    answers.set(path, answer);
    return answer.body;
  };

  await ask("/");
  await ask("/workspaces/");
  await ask("/changes/");
  await ask("/export/");
  const ids = new Map<string, string>();
  for (const query of [...titles, ...titles.flatMap((title) => title.split(" ")), ..."aeiou"]) {
    const { items } = await ask<SearchResults>(`/search/?q=${encodeURIComponent(query)}&limit=100`);
    for (const { node } of items) ids.set(node.title, node.id);
  }

  const all = [...ids.values()];
  await ask(`/nodes/?ids=${all.join(",")}`);
  await ask(`/edges/?ids=${all.join(",")}`);
  const details: NodeDetail[] = [];
  const edges: Edge[] = [];
  for (const id of all) {
    const detail = await ask<NodeDetail>(`/nodes/${id}/`);
    details.push(detail);
    if (detail.type === "database") await ask(`/nodes/${id}/rows/`);
    await ask(`/nodes/${id}/content/`);
    const { items } = await ask<Neighbors>(`/nodes/${id}/neighbors/?direction=out&limit=200`);
    edges.push(...items.flatMap((item) => item.edges));
    await ask(`/nodes/${id}/neighbors/?direction=in&limit=200`);
    await ask(`/nodes/${id}/neighbors/?depth=3&limit=200`);
    await ask(`/nodes/${id}/related/?linked=true&limit=50`);
    await ask(`/tree/?under=${id}&depth=10&limit=500`);
    await ask(`/search/?under=${id}&limit=100`);
    for (const to of all) await ask(`/paths/?from=${id}&to=${to}&max_depth=10&max_paths=5`);
  }
  return { ids, details, edges, answers };
}
