import { startTestServer } from "../../scripts/postgres.ts";
import { type Server, serverPrograms, startPrimary, startReplica } from "../failover/servers.ts";
import type { Installation } from "../instances/instances.ts";
import { openStage } from "../support/stage.ts";
import { runHistory } from "./scenario.ts";

/**
 * Histories of four instances on one PostgreSQL that are killed, paused and cut off, whose clocks step by up to five seconds, and whose
 * database fails over to a synchronous replica (OPS-8): `SEEDS=10 SEED=1 npm run campaign history`. MINUTES bounds the time. Without
 * Debian's postgresql the database is restarted instead. The exit code is 1 if a history is not linearizable, with its timeline. A seed
 * decides calls and disturbances; their times depend on the machine.
 */
const seeds = Number(process.env.SEEDS ?? 10);
const first = Number(process.env.SEED ?? Date.now() % 1_000_000);
const endsAt = performance.now() + Number(process.env.MINUTES ?? 60) * 60_000;
const calls = Number(process.env.CALLS ?? 2_000);
const instances = Number(process.env.INSTANCES ?? 4);

/** A database of a round's own, and what disturbs it. */
interface Database {
  readonly url: string;
  readonly disturb: (installation: Installation) => Promise<void>;
  stop(): Promise<void>;
}

async function restartedDatabase(): Promise<Database> {
  const server = await startTestServer();
  return { url: server.url, disturb: server.restart, stop: server.stop };
}

async function replicatedDatabase(): Promise<Database> {
  let primary = await startPrimary();
  const started: Server[] = [primary];
  return {
    url: `postgres://clew@127.0.0.1:${primary.port}/postgres`,
    async disturb(installation) {
      const replica = await startReplica(primary);
      started.push(replica);
      await primary.kill();
      installation.redirectDatabase(replica.port);
      await replica.query("select pg_promote()");
      primary = replica;
    },
    async stop() {
      for (const server of started) await server.kill();
    },
  };
}

console.log(serverPrograms === null ? "The database restarts." : "The database fails over.");
for (let seed = first; seed < first + seeds && performance.now() < endsAt; seed += 1) {
  const database = await (serverPrograms === null ? restartedDatabase() : replicatedDatabase());
  const stage = await openStage();
  const began = performance.now();
  try {
    const outcome = await runHistory(stage, database.url, {
      seed,
      instances,
      calls,
      disturbances: ["clock", "kill", "database", "pause", "network", "clock", "long pause"],
      callsBetween: Math.ceil(calls / 10),
      pauseMs: 3_000,
      longPauseMs: 20_000,
      dropMs: 5_000,
      disturbDatabase: database.disturb,
      report: console.log,
    });
    const seconds = Math.round((performance.now() - began) / 1000);
    console.log(`seed ${seed}: linearizable, ${seconds} s, ${JSON.stringify(outcome)}`);
  } catch (error) {
    console.log(`seed ${seed}:`, error);
    process.exitCode = 1;
  } finally {
    await stage.close();
    await database.stop();
  }
}
