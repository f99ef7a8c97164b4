import { parseNodeId } from "@clew/graph";
import type { Database } from "../../store/port.ts";
import { nodeIdOf } from "../../store/queries/statements.ts";

/** All that is stored of a connection's graph and is not about the syncs that wrote it, in an order of its own. */
export async function storedGraph({ read }: Database, connectionId: number) {
  const nodes = await read
    .selectFrom("nodes")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .execute();
  const texts = await read
    .selectFrom("contents")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .execute();
  const references = await read
    .selectFrom("node_references")
    .selectAll()
    .where("connection_id", "=", connectionId)
    .execute();
  const known = new Set(nodes.map(({ id }) => nodeIdOf(id)));
  return {
    nodes: sorted(
      nodes.map((node) => ({
        id: nodeIdOf(node.id),
        type: node.type,
        title: node.title,
        url: node.url,
        parent: node.parent_id && nodeIdOf(node.parent_id),
        containerId: node.container_id && nodeIdOf(node.container_id),
        updatedAt: node.updated_at,
        properties: node.properties,
        contentState: node.content_state,
        contentError: node.content_error,
        unsettled: node.unsettled,
      })),
    ),
    texts: sorted(
      texts.map((text) => ({
        id: nodeIdOf(text.node_id),
        markdown: withoutTitles(text.markdown, known),
        updatedAt: text.updated_at,
      })),
    ),
    references: sorted(
      references.map((reference) => ({
        id: nodeIdOf(reference.from_id),
        to: nodeIdOf(reference.target_id),
        source: reference.source,
        type: reference.type,
        name: reference.name,
        count: reference.count,
      })),
    ),
  };
}

/** Leaves out titles of nodes that are not in the graph: a text shows those as they were when it was read. */
function withoutTitles(markdown: string, known: ReadonlySet<string>): string {
  return markdown.replaceAll(
    /(<(page|database|mention-page|mention-database) url="([^"]*)"[^>]*>)(.*?)(<\/\2>)/g,
    (whole, opening, _, url, __, closing) =>
      known.has(parseNodeId(url.slice(-32)) ?? "") ? whole : opening + closing,
  );
}

function sorted<T>(items: T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
