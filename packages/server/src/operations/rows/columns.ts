import { locateNode } from "../../graph-cache/readable.ts";
import type { Column } from "../../model/column.ts";
import { columnsOfDatabase } from "../../store/queries/containers.ts";
import { readNodeId } from "../nodes.ts";
import { currentGraphsFor, type RequestContext } from "../request-context.ts";

/** The columns of databases, in the order of `ids` (GRAPH-23). A database that is not readable or not read yet has none. */
export async function columnsOf(
  ctx: RequestContext,
  ids: readonly string[],
): Promise<readonly (readonly Column[])[]> {
  const readable = await currentGraphsFor(ctx);
  return Promise.all(
    ids.map(async (text) => {
      const id = readNodeId(text);
      const connection = locateNode(readable, id)?.source.connection;
      if (connection === undefined) return [];
      return (await columnsOfDatabase(ctx.services.database.read, connection.id, id)) ?? [];
    }),
  );
}
