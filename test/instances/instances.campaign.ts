import { pooled } from "../../packages/server/src/store/testing/location.ts";
import { openPooler } from "../../scripts/pooler.ts";
import { startTestServer } from "../../scripts/postgres.ts";
import { openStage } from "../support/stage.ts";
import { runInstances } from "./scenario.ts";

/**
 * Four instances on one PostgreSQL that is restarted, killed, paused and cut off (OPS-8, OPS-9):
 * `OPERATIONS=100000 SEED=1 npm run campaign instances`. Their clocks differ by up to two minutes. The exit code is 1 if an
 * answer contradicts an earlier one, or is a 500. With `POOLER=1` all go through a pgbouncer in transaction mode. A seed decides operations and disturbances; their times depend on the machine.
 */
const operations = Number(process.env.OPERATIONS ?? 100_000);
const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);

const clients = Number(process.env.CLIENTS ?? 8);

const server = await startTestServer();
const pooler = process.env.POOLER === "1" ? await openPooler(server.url) : null;
const stage = await openStage();
try {
  const outcome = await runInstances(
    stage,
    pooled(server.url, pooler === null ? undefined : String(pooler.port)),
    {
      seed,
      operations,
      clients,
      instances: 4,
      disturbances: ["kill", "restart of the database", "network", "kill", "pause"],
      operationsBetween: 500,
      dropMs: 10_000,
      // Two leases.
      pauseMs: 30_000,
      restartDatabase: server.restart,
      report: console.log,
    },
  );
  console.log(`seed ${seed}: ${JSON.stringify(outcome)}`);
} catch (error) {
  console.log(`seed ${seed}:`, error);
  process.exitCode = 1;
} finally {
  await stage.close();
  await pooler?.stop();
  await server.stop();
}
