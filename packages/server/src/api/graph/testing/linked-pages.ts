import type { TestContext } from "node:test";
import type { GraphOperation } from "@clew/contract";
import type { Connection } from "../../../model/connection.ts";
import { nodeId, referenceTo } from "../../../store/testing/scratch.ts";
import { type Bearer, type GraphServer, type Person, serveGraphs } from "./graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const one = nodeId(1);
const database = nodeId(3);

/** A request for each operation, and for what its parameters read besides. */
export const requests: Readonly<Record<GraphOperation, readonly string[]>> = {
  overview: ["/"],
  workspaces: ["/workspaces/"],
  search: ["/search/?q=page", "/search/?is=broken,failed"],
  resolve: ["/resolve/?page=Page 1"],
  text: ["/text/?q=word"],
  context: ["/context/?q=word"],
  nodes: [`/nodes/?ids=${one}`],
  node: [`/nodes/${one}/`],
  content: [`/nodes/${one}/content/`],
  rows: [`/nodes/${database}/rows/`],
  neighbors: [`/nodes/${one}/neighbors/?excerpts=true`],
  edges: [`/edges/?ids=${one},${nodeId(2)}`],
  paths: [`/paths/?from=${one}&to=${nodeId(2)}&excerpts=true`],
  related: [`/nodes/${one}/related/`],
  tree: ["/tree/"],
  map: [`/workspaces/${workspace}/map/`, `/workspaces/${workspace}/map/?links=true`],
  mapNodes: [`/workspaces/${workspace}/map/nodes/`],
  broken: ["/broken/"],
  changes: ["/changes/"],
  export: ["/export/?text=true"],
  recent: ["/recent/?since=30d"],
};

/** A server with the pages that `requests` ask for, synced twice, and their owner's token. Texts are searched. */
export async function serveLinkedPages(t: TestContext): Promise<{
  readonly server: GraphServer;
  readonly owner: Person;
  readonly connection: Connection;
  readonly token: Bearer;
}> {
  // The activity of tokens is written beside them, at any time.
  const server = await serveGraphs(t, undefined, { withTexts: true, activityDays: 0 });
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [
    { number: 1, text: "A word leads to [two](x).", textReferences: [referenceTo(2, { offsets: [16] })] },
    { number: 2, text: "Another word.", textReferences: [referenceTo(80, { offsets: [0] })] },
    { number: 3, given: { type: "database" } },
    { number: 4, given: { parentId: database } },
  ]);
  await server.sync(connection, [
    { number: 1, text: "A word leads to [two](x).", textReferences: [referenceTo(2, { offsets: [16] })] },
    { number: 2, text: "Another word.", textReferences: [referenceTo(80, { offsets: [0] })] },
    { number: 3, given: { type: "database" } },
  ]);
  const token = await owner.token({ workspaceIds: [workspace] });
  return { server, owner, connection, token };
}
