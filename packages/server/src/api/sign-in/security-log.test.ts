import assert from "node:assert/strict";
import { test } from "node:test";
import { serveSignIn } from "./testing/sign-in-server.ts";

test("the security log records successful and failed sign-ins, without code, state or e-mail address", async (t) => {
  const { fixture, logged, browser } = await serveSignIn(t);
  const tab = browser();
  const states = [await tab.begin(), await tab.begin()];
  await tab.finish({ error: "access_denied", state: states[0] ?? "" });
  await tab.finish({ code: "the-code", state: states[1] ?? "" });
  const [session] = await fixture.database.read.selectFrom("sessions").selectAll().execute();
  const [connection] = await fixture.database.read.selectFrom("connections").selectAll().execute();
  const lines = logged.map((line) => JSON.parse(line)).filter(({ security }) => security === true);
  assert.deepEqual(
    lines.map(({ event, outcome, reason, user_id, session_id, workspace_id, address }) => [
      [event, outcome, reason, address],
      [user_id, session_id, workspace_id],
    ]),
    [
      [
        ["sign_in_failed", "failure", "access_denied", "127.0.0.1"],
        [undefined, undefined, undefined],
      ],
      [
        ["signed_in", "success", undefined, "127.0.0.1"],
        [session?.user_id, session?.id, connection?.workspace_id],
      ],
    ],
  );
  for (const secret of ["the-code", ...states, "reader@example.com", "A reader"])
    assert.ok(
      !lines
        .map((line) => JSON.stringify(line))
        .join("")
        .includes(secret),
      secret,
    );
});
