import { test } from "node:test";
import { repetitions, runSeed } from "@clew/stand-in/testing/share";
import { newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { stageOf } from "../support/stage.ts";
import { runInstances } from "./scenario.ts";

const needsServer = { skip: !onPostgres && "instances on several machines share a PostgreSQL" };

// A part of the campaign in `instances.campaign.ts`.
test("OPS-8: instances that are disturbed contradict no answer of each other", needsServer, async (t) => {
  const { url, remove, endConnections } = await newLocation({ isEmpty: true });
  t.after(remove);
  const seed = runSeed % 1_000_000;
  t.diagnostic(`seed ${seed}`);
  const outcome = await runInstances(await stageOf(t), url, {
    seed,
    instances: 2,
    operations: repetitions(100, 160),
    clients: 8,
    disturbances: ["restart of the database", "kill", "network", "pause"],
    operationsBetween: repetitions(22, 35),
    dropMs: 300,
    pauseMs: 300,
    restartDatabase: endConnections,
  });
  t.diagnostic(JSON.stringify(outcome));
});
