import { type Changes, type ChangesQuery, changeLimits } from "@clew/contract";
import { presentChange } from "../../present/change.ts";
import { within } from "../../publication/readable.ts";
import { AnswerRoom } from "../answer-size.ts";
import { type Asking, connectionsFor } from "../asking.ts";
import { listBinding } from "../list-binding.ts";
import { beginning, readPlace, type WrittenPlace, writePlace } from "./place.ts";
import { cursorExpired, readChanges } from "./read-changes.ts";

/**
 * What was added, changed or removed since a cursor, workspace by workspace (GRAPH-11). Its cursor lives on, so it is
 * bound to the workspaces that are readable and not to the connections behind them: whoever connects one anew is told
 * to start over.
 */
export async function changes(
  asking: Asking,
  { workspace_id, limit = changeLimits.standard, cursor }: ChangesQuery,
): Promise<Changes> {
  const { reading } = asking;
  const readable = await connectionsFor(asking);
  const wanted = within(readable, workspace_id);
  const workspaces = readable.map(({ workspaceId }) => ({ id: workspaceId }));
  const binding = listBinding(asking, workspaces, {
    operation: "changes",
    parameters: [workspace_id ?? null],
  });
  const begun = cursor === undefined ? null : placesOf(reading.cursors.decode(binding, cursor));
  const items: Changes["items"] = [];
  const places: WrittenPlace[] = [];
  const room = new AnswerRoom();
  let more = false;
  for (const connection of wanted) {
    const written = begun?.find(([id]) => id === connection.id);
    if (begun && !written) throw cursorExpired();
    const place = written ? readPlace(written) : beginning;
    const read = await readChanges(reading, connection, place, more ? 0 : limit - items.length, room);
    items.push(...read.changes.flatMap((change) => presentChange(read.source, change)));
    places.push(writePlace(connection.id, read.place));
    more ||= read.more;
  }
  return { items, next_cursor: reading.cursors.encode(binding, places), more };
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function placesOf(decoded: unknown): readonly WrittenPlace[] {
  return decoded as readonly WrittenPlace[];
}
