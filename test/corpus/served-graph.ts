import type { Edge, Neighbors, Node, NodeDetail, Nodes, Workspace, WorkspaceList } from "@clew/contract";
import { createToken, waitForSync } from "../../scripts/tour/session.ts";
import { signIn } from "../../scripts/tour/sign-in.ts";
import { call } from "../support/call.ts";
import { startRunning } from "../support/running-clew.ts";

/** The graph that Clew serves to a service token. */
export interface ServedGraph {
  readonly nodes: readonly Node[];
  readonly edges: readonly Edge[];
  /** Unresolved references by node. */
  readonly unresolved: ReadonlyMap<string, NodeDetail["unresolved"]>;
  /** The size that Clew reports. */
  readonly size: Pick<Workspace, "nodes" | "edges">;
}

/** A Clew that serves a folder, of which a person shared everything and a sync has read it. */
export interface ServedFolder {
  /** Reads these nodes, their outgoing edges and unresolved references. Nodes that Clew does not know are left out. */
  read(ids: readonly string[]): Promise<ServedGraph>;
  /** Reads a path below `/api/v1/`. */
  get<Body>(path: string): Promise<Body>;
  readonly databasePath: string;
  close(): Promise<void>;
}

/** Serves a folder, signs in, waits for the sync, and creates a token to read with. */
export async function openServedFolder(directory: string): Promise<ServedFolder> {
  const clew = await startRunning({ directory });
  const token = await tokenOf(clew.url).catch(async (error: unknown) => {
    await clew.stop();
    throw error;
  });
  return {
    databasePath: clew.databasePath,
    get: (path) => get(clew.url, token, path),
    close: () => clew.stop(),
    async read(ids) {
      const { items } = await get<WorkspaceList>(clew.url, token, "workspaces/");
      const [size] = items;
      if (size === undefined) throw new Error("the token has no workspace");
      const nodes = await readNodes(clew.url, token, ids);
      const edges: Edge[] = [];
      const unresolved = new Map<string, NodeDetail["unresolved"]>();
      for (const { id } of nodes) {
        edges.push(...(await readEdgesFrom(clew.url, token, id)));
        unresolved.set(id, (await get<NodeDetail>(clew.url, token, `nodes/${id}/`)).unresolved);
      }
      return { nodes, edges, unresolved, size };
    },
  };
}

async function tokenOf(clew: URL): Promise<string> {
  const session = await signIn(clew);
  await waitForSync(clew, session);
  return (await createToken(clew, session, "corpus")).token;
}

/** The graph that Clew serves for a folder, limited to these nodes. */
export async function readServedGraph(directory: string, ids: readonly string[]): Promise<ServedGraph> {
  const served = await openServedFolder(directory);
  try {
    return await served.read(ids);
  } finally {
    await served.close();
  }
}

/** Nodes by their ids, a hundred at a time. */
async function readNodes(clew: URL, token: string, ids: readonly string[]): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let start = 0; start < ids.length; start += 100) {
    const batch = ids.slice(start, start + 100).join(",");
    nodes.push(...(await get<Nodes>(clew, token, `nodes/?ids=${batch}`)).items);
  }
  return nodes;
}

async function readEdgesFrom(clew: URL, token: string, id: string): Promise<Edge[]> {
  const edges: Edge[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const query = new URLSearchParams({ direction: "out", limit: "200", ...(cursor && { cursor }) });
    const page: Neighbors = await get<Neighbors>(clew, token, `nodes/${id}/neighbors/?${query}`);
    edges.push(...page.items.flatMap((item) => item.edges));
    cursor = page.next_cursor;
  }
  return edges;
}

async function get<Body>(clew: URL, token: string, path: string): Promise<Body> {
  const { status, body } = await call<Body>(clew, `api/v1/${path}`, { token });
  if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
  return body;
}
