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
        markdown: withoutTitles(text.markdown),
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

/** A page that shows another's title is not edited when that is renamed: its text is not read again. */
function withoutTitles(markdown: string): string {
  return markdown.replaceAll(/(<(page|database)\b[^>]*>).*?(<\/\2>)/g, "$1$3");
}

function sorted<T>(items: T[]): T[] {
  return items.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}
