import type { LocatedNode } from "../graph-cache/readable.ts";
import type { Text } from "../present/content.ts";
import type { Database } from "../store/port.ts";
import { readContent } from "../store/queries/graph-reading.ts";
import { nodeAmong, readNodeId } from "./node-ids.ts";
import { currentGraphsFor, type RequestContext } from "./request-context.ts";

/** A node's whole text, and what tells one text of it from another. */
interface WholeText extends Text {
  readonly digest: string;
}

/** A page's text (GRAPH-5). */
export async function content(ctx: RequestContext, about: { readonly id: string }): Promise<WholeText> {
  const id = readNodeId(about.id);
  return textOf(ctx.services.database, nodeAmong(await currentGraphsFor(ctx), id));
}

/**
 * A node's text: the last that was read, even while a newer one is awaited. Databases have none, and pages none yet
 * before their first sync: their text is empty, and `content_state` of the node's detail says why.
 */
async function textOf(database: Database, { source, node }: LocatedNode): Promise<WholeText> {
  const stored = await readContent(database.read, source.connection.id, node.id);
  const none = { markdown: "", totalChars: 0, digest: "", updatedAt: node.updatedAt };
  return { nodeId: node.id, ...(stored ?? none) };
}
