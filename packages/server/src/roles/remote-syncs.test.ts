import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { claimJob } from "../sync/jobs/lease.ts";
import { RemoteSyncs } from "./remote-syncs.ts";

const minute = 60_000;

test("OPS-8: a process that does not sync warns once if no process runs the syncs that are due", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  let now = 1_000_000;
  const lines: string[] = [];
  const log = pino({}, { write: (line) => void lines.push(JSON.parse(line).msg) });
  const syncs = new RemoteSyncs({ database, clock: () => now, log });
  await syncs.request(id);
  await syncs.warnIfLeft();
  now += minute;
  const search = {
    providers: ["some"],
    now,
    except: [],
    hasRoomFor: () => true,
    maxOvertakingNodes: 1,
  };
  await database.transaction((trx) => claimJob(trx, "some worker", search));
  await syncs.warnIfLeft();
  assert.deepEqual(lines, []);
  // The worker has ended without a word.
  now += minute;
  await syncs.warnIfLeft();
  await syncs.warnIfLeft();
  assert.deepEqual(lines, ["no process runs the syncs that are due: start one whose CLEW_ROLE has sync"]);
});
