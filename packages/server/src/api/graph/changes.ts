import { Changes, ChangesQuery, Problem, ref } from "@clew/contract";
import type { Reading } from "../../operations/asking.ts";
import { changes } from "../../operations/changes/changes.ts";
import type { App } from "../app-instance.ts";
import { linkNextPage } from "../next-link.ts";
import { askingOf, routeOf } from "./door.ts";

/** `GET …/changes/`: what was added, changed or removed since a cursor (GRAPH-11). */
export function changesRoute(app: App, reading: Reading): void {
  const { path, summary, config } = routeOf(reading.door, "changes");
  app.get(
    path,
    {
      config,
      schema: { summary, querystring: ChangesQuery, response: { 200: ref(Changes), default: ref(Problem) } },
    },
    async (request, reply) => {
      const told = await changes(askingOf(reading, request), request.query);
      // Where nothing more is to be told the cursor is for later.
      return told.more ? linkNextPage(request, reply, told) : told;
    },
  );
}
