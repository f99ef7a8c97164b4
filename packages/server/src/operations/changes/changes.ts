import { type Changes, type ChangesQuery, changeLimits } from "@clew/contract";
import { connectionsWithin } from "../../graph-cache/readable.ts";
import { presentChange } from "../../present/change.ts";
import { AnswerRoom } from "../answer-size.ts";
import { listBinding } from "../list-binding.ts";
import { type RequestContext, readableConnectionsOf } from "../request-context.ts";
import { beginning, decodePosition, type EncodedPosition, encodePosition } from "./position.ts";
import { cursorExpired, readChanges } from "./read-changes.ts";

/**
 * What was added, changed or removed since a cursor, workspace by workspace (GRAPH-11). Its cursor lives on, so it is
 * bound to the workspaces that are readable and not to the connections behind them: whoever connects one anew is told
 * to start over.
 */
export async function changes(
  ctx: RequestContext,
  { workspace_id, limit = changeLimits.standard, cursor }: ChangesQuery,
): Promise<Changes> {
  const { services } = ctx;
  const readable = await readableConnectionsOf(ctx);
  const wanted = connectionsWithin(readable, workspace_id);
  const workspaces = readable.map(({ workspaceId }) => ({ id: workspaceId }));
  const binding = listBinding(ctx, workspaces, {
    operation: "changes",
    parameters: [workspace_id ?? null],
  });
  const begun = cursor === undefined ? null : positionsOf(services.cursors.decode(binding, cursor));
  const items: Changes["items"] = [];
  const positions: EncodedPosition[] = [];
  const room = new AnswerRoom();
  let more = false;
  for (const connection of wanted) {
    const written = begun?.find(([id]) => id === connection.id);
    if (begun && !written) throw cursorExpired();
    const position = written ? decodePosition(written) : beginning;
    const read = await readChanges(services, connection, position, more ? 0 : limit - items.length, room);
    items.push(...read.changes.flatMap((change) => presentChange(read.source, change)));
    positions.push(encodePosition(connection.id, read.position));
    more ||= read.more;
  }
  return { items, next_cursor: services.cursors.encode(binding, positions), more };
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function positionsOf(decoded: unknown): readonly EncodedPosition[] {
  return decoded as readonly EncodedPosition[];
}
