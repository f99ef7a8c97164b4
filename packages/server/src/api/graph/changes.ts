import { Changes, ChangesQuery, changeLimits, Problem, ref } from "@clew/contract";
import { presentChange } from "../../../present/change.ts";
import { within } from "../../../publication/readable.ts";
import type { App } from "../../app-instance.ts";
import { nextLink } from "../../next-link.ts";
import { routeOf } from "../door.ts";
import { listBinding } from "../list-binding.ts";
import { connectionsFor, type Reading } from "../reading.ts";
import { beginning, readPlace, type WrittenPlace, writePlace } from "./place.ts";
import { cursorExpired, readChanges } from "./read-changes.ts";

/**
 * `GET …/changes/`: what was added, changed or removed since a cursor, workspace by workspace (GRAPH-11). Its cursor
 * lives on, so it is bound to the workspaces that are readable and not to the connections behind them: whoever
 * connects one anew is told to start over.
 */
export function changesRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "changes");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: ChangesQuery, response: { 200: ref(Changes), default: ref(Problem) } },
    },
    async (request, reply) => {
      const { workspace_id, limit = changeLimits.standard, cursor } = request.query;
      const readable = await connectionsFor(reading, request);
      const wanted = within(readable, workspace_id);
      const workspaces = readable.map(({ workspaceId }) => ({ id: workspaceId }));
      const binding = listBinding(reading, request, workspaces, {
        operation: "changes",
        parameters: [workspace_id ?? null],
      });
      const begun = cursor === undefined ? null : placesOf(reading.cursors.decode(binding, cursor));
      const items: Changes["items"] = [];
      const places: WrittenPlace[] = [];
      let more = false;
      for (const connection of wanted) {
        const written = begun?.find(([id]) => id === connection.id);
        if (begun && !written) throw cursorExpired();
        const place = written ? readPlace(written) : beginning;
        const read = await readChanges(reading, connection, place, more ? 0 : limit - items.length);
        items.push(...read.changes.flatMap((change) => presentChange(read.source, change)));
        places.push(writePlace(connection.id, read.place));
        more ||= read.more;
      }
      const nextCursor = reading.cursors.encode(binding, places);
      if (more) reply.header("link", nextLink(request.url, "cursor", nextCursor));
      return { items, next_cursor: nextCursor, more };
    },
  );
}

/** A decoded cursor is what was encoded under the same binding: it is authenticated. */
function placesOf(decoded: unknown): readonly WrittenPlace[] {
  return decoded as readonly WrittenPlace[];
}
