import type { Text } from "../present/content.ts";
import type { PlacedNode } from "../publication/readable.ts";
import type { Database } from "../store/database.ts";
import { readContent } from "../store/graph-reading.ts";
import { type Asking, graphsFor } from "./asking.ts";
import { nodeAmong, readNodeId } from "./node-ids.ts";

/** A node's whole text, and what tells one text of it from another. */
interface WholeText extends Text {
  readonly digest: string;
}

/** A page's text (GRAPH-5). */
export async function content(asking: Asking, about: { readonly id: string }): Promise<WholeText> {
  const id = readNodeId(about.id);
  return textOf(asking.reading.database, nodeAmong(await graphsFor(asking), id));
}

/**
 * A node's text: the last that was read, even while a newer one is awaited. Databases have none, and pages none yet
 * before their first sync: their text is empty, and `content_state` of the node's detail says why.
 */
async function textOf(database: Database, { source, node }: PlacedNode): Promise<WholeText> {
  const stored = await readContent(database.read, source.connection.id, node.id);
  const none = { markdown: "", totalChars: 0, digest: "", updatedAt: node.updatedAt };
  return { nodeId: node.id, ...(stored ?? none) };
}
