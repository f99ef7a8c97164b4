import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate } from "node:timers/promises";
import { serveGraphs } from "../../graph/testing/graph-server.ts";
import { createStatusPoller, type SyncStatus } from "./status-poller.ts";

test("GRAPH-15: a connection is polled once for all listeners, and not without listeners", async (t) => {
  const { fixture, person } = await serveGraphs(t);
  const { id } = await (await person("owner")).connect("11111111-1111-4111-8111-111111111111");
  const begun = t.mock.method(globalThis, "setInterval");
  const ended = t.mock.method(globalThis, "clearInterval");
  const poller = createStatusPoller({ database: fixture.database, onError: assert.ifError });
  const leave = [1, 2, 3].map(() => poller.listen(id, async () => {}));
  assert.equal(begun.mock.callCount(), 1);
  for (const each of leave.slice(1)) each();
  assert.equal(ended.mock.callCount(), 0);
  leave[0]?.();
  leave[0]?.();
  assert.equal(ended.mock.callCount(), 1);
  poller.listen(id, async () => {})();
  assert.deepEqual([begun.mock.callCount(), ended.mock.callCount()], [2, 2]);
});

test("GRAPH-15: listeners learn that a connection was deleted and that the database failed", async (t) => {
  const { fixture, person, disconnect } = await serveGraphs(t);
  const connection = await (await person("owner")).connect("11111111-1111-4111-8111-111111111111");
  t.mock.timers.enable({ apis: ["setInterval"] });
  const errors: unknown[] = [];
  const poller = createStatusPoller({ database: fixture.database, onError: (error) => errors.push(error) });
  const received: (SyncStatus | null)[] = [];
  const leave = poller.listen(connection.id, async (status) => void received.push(status));
  const look = async () => {
    const before = received.length;
    t.mock.timers.tick(500);
    while (received.length === before) await setImmediate();
  };
  await look();
  assert.equal(received[0]?.connection.id, connection.id);
  const rename = (from: string, to: string) =>
    fixture.database.transaction((trx) => trx.schema.alterTable(from).renameTo(to).execute());
  await rename("connections", "elsewhere");
  await look();
  assert.equal(received[1], null);
  assert.equal(errors.length, 1);
  await rename("elsewhere", "connections");
  await disconnect(connection);
  await look();
  assert.equal(received[2], null);
  leave();
});
