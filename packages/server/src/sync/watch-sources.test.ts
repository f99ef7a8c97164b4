import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import type { Change } from "@clew/provider";
import { pino } from "pino";
import type { SyncRequest } from "../connections/request-sync.ts";
import { everybody } from "../model/testing/allow-lists.ts";
import { Sources } from "../providers/sources.ts";
import { findConnection, setSyncProgress } from "../store/queries/connections.ts";
import { scratchDatabase, someConnection } from "../store/testing/scratch.ts";
import { watchSources } from "./watch-sources.ts";

test("SYNC-5: syncs that end badly are not followed by others at once because their watch begins again", async (t) => {
  const { database } = await scratchDatabase(t);
  const id = await someConnection(database);
  const connection = await findConnection(database.read, id);
  assert.ok(connection);
  const { provider, workspaceId } = connection;
  let report = (_: Change): void => {};
  const requests: SyncRequest[] = [];
  const pauses: number[] = [];
  const source = {
    slug: provider,
    watch(onChange: typeof report) {
      report = onChange;
      return { stop: async () => {} };
    },
  };
  const watching = watchSources({
    sources: new Sources(source),
    database,
    allowed: everybody,
    edits: { request: async (_, request = {}) => void requests.push(request) },
    log: pino({ level: "silent" }),
    sleep: async (milliseconds) => void pauses.push(milliseconds),
  });
  const tell = async (change: Omit<Change, "workspaceId">) => {
    const before = requests.length;
    report({ ...change, workspaceId });
    while (requests.length === before) await setImmediate();
  };
  const beginning = { changed: null, isBeginning: true } as const;
  for (let time = 0; time < 3; time += 1) {
    await tell(beginning);
    await database.transaction((trx) => setSyncProgress(trx, id, { outcome: "failed" }));
  }
  assert.deepEqual(pauses, [5_000, 10_000]);
  await tell({ changed: null, isBeginning: false });
  await tell(beginning);
  assert.deepEqual(pauses, [5_000, 10_000], "a change waits for nothing, and ends the pauses");
  assert.deepEqual(
    requests,
    Array.from({ length: 5 }, () => ({ by: "watch" })),
  );
  await watching.stop();
});
