import { randomBytes } from "node:crypto";
import { ApiError } from "../../model/api-error.ts";
import { parseLocation } from "../../model/database-location.ts";
import { actorOf } from "../../model/testing/actor.ts";
import { openDatabase } from "../../store/database.ts";
import { connectionsOf } from "../../store/queries/connections.ts";
import { readyToGo } from "../../store/testing/processes.ts";
import { createServiceToken } from "../service-tokens.ts";

/**
 * A process that requests twenty tokens at once for the user of its second argument, in the session of its third,
 * as an instance does.
 */
const [url = "", userId = "", sessionId = ""] = process.argv.slice(2);
const database = await openDatabase({ location: parseLocation(url) });
const workspaces = await connectionsOf(database.read, userId);
const body = {
  name: `process ${process.pid}`,
  scopes: ["graph:read" as const],
  workspace_ids: workspaces.map(({ workspaceId }) => workspaceId),
};
const actor = actorOf({ userId, sessionId });
await readyToGo();
await Promise.all(
  Array.from({ length: 20 }, async () => {
    try {
      await createServiceToken({ database, clock: Date.now, random: randomBytes }, actor, {
        body,
        shapeErrors: [],
      });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "token_limit_reached") throw error;
    }
  }),
);
await database.close();
process.disconnect();
