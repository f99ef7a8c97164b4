import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { newLocation, onPostgres, pooled } from "../../packages/server/src/store/testing/location.ts";
import { openPooler, pgbouncer } from "../../scripts/pooler.ts";
import { call } from "../support/call.ts";
import { startRunning } from "../support/running-clew.ts";
import { clientOf, createToken, signIn, waitForSync } from "../support/session.ts";

const server = process.env.TEST_DATABASE_URL;
const skip =
  (!onPostgres && "it needs a PostgreSQL server") ||
  (pgbouncer === null && "pgbouncer is not installed: install the package pgbouncer");

test("OPS-8: Clew serves behind pgbouncer in transaction mode", { skip }, async (t) => {
  const pooler = await openPooler(server ?? "");
  t.after(() => pooler.stop());
  const { url, remove } = await newLocation({ isEmpty: true });
  t.after(remove);
  const shared = {
    DATABASE_URL: pooled(url, String(pooler.port)),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
  };
  const clew = await startRunning({ env: shared });
  t.after(() => clew.stop());

  const session = await signIn(clew.url);
  await waitForSync(clew.url, session);
  const { id, token } = await createToken(clew.url, session, "behind a pooler");
  // More at once than the pooler has connections to the server.
  const paths = ["recent/", "search/?q=a", "tree/", "text/?q=the"];
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, index) => call(clew.url, `api/v1/${paths[index % 4]}`, { token })),
  );
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
  const created = await Promise.allSettled(
    Array.from({ length: 15 }, (_, index) => createToken(clew.url, session, `number ${index}`)),
  );
  assert.equal(created.filter(({ status }) => status === "fulfilled").length, 9);
  await clientOf(clew.url, session).revokeServiceToken({ id });
  assert.equal((await call(clew.url, "api/v1/recent/", { token })).status, 401);
});
