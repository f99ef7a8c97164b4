import { type Client, createClient } from "@clew/client";
import type { Edge, Node, NodeDetail, Workspace } from "@clew/contract";
import type { DatabaseLocation } from "../../packages/server/src/model/database-location.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";

/** The graph that Clew serves to a service token. */
export interface ServedGraph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** The unresolved references of each node. */
  readonly unresolved: ReadonlyMap<string, NodeDetail["unresolved"]>;
  /** The size that Clew reports. */
  readonly size: Pick<Workspace, "nodes" | "edges">;
}

/** A Clew over a folder that was shared and synced. */
export interface ServedFolder {
  readonly url: URL;
  /** A service token, and a client with it. */
  readonly token: string;
  readonly client: Client;
  /** Reads these nodes with their outgoing edges and unresolved references. Unknown nodes are left out. */
  read(ids: readonly string[]): Promise<ServedGraph>;
  readonly databaseLocation: DatabaseLocation;
  close(): Promise<void>;
}

/** Serves a folder, signs in and waits for the sync. */
export async function openServedFolder(directory: string): Promise<ServedFolder> {
  const clew = await startRunning({ directory });
  const token = await tokenOf(clew.url).catch(async (error: unknown) => {
    await clew.stop();
    throw error;
  });
  const client = createClient({ url: clew.url, token });
  return {
    url: clew.url,
    token,
    client,
    databaseLocation: clew.databaseLocation,
    close: () => clew.stop(),
    read: (ids) => readGraph(client, ids),
  };
}

async function tokenOf(base: URL): Promise<string> {
  const session = await signIn(base);
  await waitForSync(base, session);
  return (await createToken(base, session, "corpus")).token;
}

async function readGraph(client: Client, ids: readonly string[]): Promise<ServedGraph> {
  const [size] = (await client.listWorkspaces()).items;
  if (size === undefined) throw new Error("the token opens no workspace");
  const nodes: Node[] = [];
  for (let start = 0; start < ids.length; start += 100) {
    const batch = ids.slice(start, start + 100).join(",");
    nodes.push(...(await client.getPages({ ids: batch })).items);
  }
  const edges: Edge[] = [];
  const unresolved = new Map<string, NodeDetail["unresolved"]>();
  for (const { id } of nodes) {
    const neighbors = client.iterate("listNeighbors", { id, direction: "out", limit: 200 });
    for await (const item of neighbors) edges.push(...item.edges);
    unresolved.set(id, (await client.getPage({ id })).unresolved);
  }
  return { nodes, edges, unresolved, size };
}

/** The graph that Clew makes of a folder, restricted to these nodes. */
export async function readServedGraph(directory: string, ids: readonly string[]): Promise<ServedGraph> {
  const served = await openServedFolder(directory);
  try {
    return await served.read(ids);
  } finally {
    await served.close();
  }
}
