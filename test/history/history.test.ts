import { test } from "node:test";
import { newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { stageOf } from "../support/stage.ts";
import { runHistory } from "./scenario.ts";

const needsServer = { skip: !onPostgres && "instances on several machines share a PostgreSQL" };

// A part of the campaign in `history.campaign.ts`.
test(
  "OPS-8: what two instances answer about a token, a session, a connection and a sync is linearizable",
  needsServer,
  async (t) => {
    const { url, remove, endConnections } = await newLocation({ isEmpty: true });
    t.after(remove);
    const seed = Date.now() % 1_000_000;
    t.diagnostic(`seed ${seed}`);
    const outcome = await runHistory(await stageOf(t), url, {
      seed,
      instances: 2,
      calls: 160,
      disturbances: ["clock", "database", "pause", "network"],
      callsBetween: 40,
      pauseMs: 300,
      longPauseMs: 300,
      dropMs: 300,
      disturbDatabase: endConnections,
    });
    t.diagnostic(JSON.stringify(outcome));
  },
);
