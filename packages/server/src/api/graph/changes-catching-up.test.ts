import assert from "node:assert/strict";
import { test } from "node:test";
import { Graphs } from "../../graphs/graphs.ts";
import { ApiError } from "../../model/api-error.ts";
import { endOf, readChanges, start } from "../../operations/changes.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";

test("GRAPH-11: an instance with an older graph catches up with the version of the cursor", async (t) => {
  const { fixture, graphs, person, sync } = await serveGraphs(t);
  const { database, clock } = fixture;
  const connection = await (await person("owner")).connect(workspace, [{ number: 1 }]);
  const ahead = { database, graphs };
  const behind = { database, graphs: new Graphs({ database, clock }) };
  const early = await readChanges(behind, connection, start, 10);
  await sync(connection, [{ number: 1 }, { number: 2 }]);

  const known = await readChanges(ahead, connection, early.position, 10);
  assert.deepEqual(
    known.changes.map(({ kind }) => kind),
    ["added"],
  );
  const caughtUp = await readChanges(behind, connection, known.position, 10);
  assert.deepEqual([caughtUp.changes, caughtUp.more, caughtUp.position], [[], false, known.position]);
});

test("GRAPH-11: a cursor newer than the restored backup has expired", async (t) => {
  const { fixture, graphs, person } = await serveGraphs(t);
  const connection = await (await person("owner")).connect(workspace, [{ number: 1 }]);
  const services = readChanges({ database: fixture.database, graphs }, connection, endOf(1_000), 10);
  await assert.rejects(services, (error) => error instanceof ApiError && error.code === "cursor_expired");
});
