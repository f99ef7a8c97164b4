import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "@clew/client";
import { withCoverage } from "./connect.ts";
import { ReadingError } from "./exit-codes.ts";

/** A client of a Clew with one workspace; null if it is away. */
const clientOf = (workspace: object | null) =>
  createClient({
    url: new URL("http://localhost"),
    token: "svc_a",
    fetch: async () => {
      if (workspace === null) throw new TypeError("fetch failed");
      return Response.json({ items: [workspace], next_cursor: null });
    },
  });

const running = { state: "running", done: 1458, total: 3294 };
const nothing = new ReadingError("nothing", "Nothing was found.");

test("AGT-2: a command that found nothing says so if no sync has been complete", async () => {
  const partial = await withCoverage(clientOf({ complete_as_of: null, sync: running }), nothing);
  assert.ok(partial instanceof ReadingError && partial.exitCode === nothing.exitCode);
  assert.equal(partial.message, "Nothing was found. No sync has been complete so far (now 1458 of 3294).");
  const failed = await withCoverage(
    clientOf({ complete_as_of: null, sync: { state: "failed", done: 0, total: null } }),
    nothing,
  );
  assert.match(String(failed), /No sync has been complete so far\.$/);
});

test("AGT-2: all other errors of commands stay as they are", async () => {
  const partial = clientOf({ complete_as_of: null, sync: running });
  const whole = clientOf({ complete_as_of: "2031-01-01T00:00:00Z", sync: running });
  for (const client of [whole, clientOf(null)]) assert.equal(await withCoverage(client, nothing), nothing);
  for (const error of [
    new ReadingError("usage", "Wrong."),
    new ReadingError("nothing", ""),
    new Error("A bug."),
  ])
    assert.equal(await withCoverage(partial, error), error);
});
