import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { type TestContext, test } from "node:test";
import { parseLocation } from "../../packages/server/src/model/database-location.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { findUser } from "../../packages/server/src/store/queries/users.ts";
import { connectTo, newLocation, onPostgres } from "../../packages/server/src/store/testing/location.ts";
import { limitIdleTime } from "../../packages/server/src/store/testing/unavailable.ts";
import { freePort } from "../../scripts/free-port.ts";
import { call } from "../support/call.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";

const needsServer = { skip: !onPostgres && "it needs a PostgreSQL server" };

/** A new database, and its URL by way of a proxy. `port` is that of its server. */
async function databaseBehindProxy(t: TestContext) {
  const { url: direct, remove } = await newLocation();
  t.after(remove);
  const url = new URL(direct);
  const port = Number(url.port || 5432);
  const proxy = await openTcpProxy(port);
  t.after(() => proxy.close());
  url.port = String(proxy.port);
  return { direct, proxy, port, url: url.href };
}

test(
  "OPS-9: while PostgreSQL is away requests are answered with 503, and service continues when it is back",
  needsServer,
  async (t) => {
    const { proxy, port, url } = await databaseBehindProxy(t);
    const clew = await startRunning({
      env: { DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString("base64") },
    });
    t.after(() => clew.stop());
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "used while the database is away");
    const requests = [
      ["api/v1/recent/", token],
      ["api/auth/validate/", session.access],
      ["api/tokens/", session.access],
      ["api/v1/recent/", `${token.slice(0, -1)}${token.endsWith("x") ? "y" : "x"}`],
    ] as const;
    const statuses = () =>
      Promise.all(
        requests.map(
          async ([path, credential]) => (await call(clew.url, path, { token: credential })).status,
        ),
      );
    const before = await statuses();
    assert.deepEqual(before, [200, 200, 200, 401]);

    for (let time = 0; time < 2; time += 1) {
      proxy.redirect(await freePort());
      proxy.cut();
      assert.deepEqual(
        await statuses(),
        requests.map(() => 503),
      );
      assert.equal((await call(clew.url, "readyz")).status, 503);
      assert.equal((await call(clew.url, "healthz")).status, 200);
      proxy.redirect(port);
      assert.deepEqual(await statuses(), before);
    }
  },
);

test(
  "OPS-9: a transaction that the server ends because the network dropped is unavailable",
  needsServer,
  async (t) => {
    const { direct, proxy, url } = await databaseBehindProxy(t);
    const database = await openDatabase({ location: parseLocation(url) });
    t.after(() => database.close());
    const admin = await connectTo(direct);
    const isWaiting = async () => {
      const { rowCount } = await admin.query(
        "select from pg_stat_activity where datname = current_database() and state = 'idle in transaction'",
      );
      return rowCount !== 0;
    };
    const waiting = database.transaction(async (trx) => {
      await limitIdleTime(trx, 50);
      proxy.drop();
      const lost = findUser(trx, "user");
      while (await isWaiting());
      proxy.restore();
      await lost;
    });
    try {
      await assert.rejects(waiting, (error) => database.isUnavailable(error));
    } finally {
      await admin.end();
    }
    assert.equal(await findUser(database.read, "user"), null);
  },
);

test(
  "OPS-9: a text query whose database goes away is answered with 503, and service continues when it is back",
  needsServer,
  async (t) => {
    const { url, remove } = await newLocation();
    t.after(remove);
    const clew = await startRunning({
      env: { DATABASE_URL: url, ENCRYPTION_KEY: randomBytes(32).toString("base64") },
    });
    t.after(() => clew.stop());
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "searches while the database goes away");
    const search = async () => {
      const { status, body } = await call(clew.url, "api/v1/text/?q=planet", { token });
      return status === 200 ? status : [status, body.code];
    };
    assert.equal(await search(), 200);

    const [holder, admin] = [await connectTo(url), await connectTo(url)];
    try {
      await holder.query("begin");
      // Only text queries read this table.
      await holder.query("lock table text_blocks in access exclusive mode");
      const interrupted = search();
      const waiting = "from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      while ((await admin.query(`select pg_terminate_backend(pid) ${waiting}`)).rowCount === 0);
      assert.deepEqual(await interrupted, [503, "unavailable"]);
      await holder.query("rollback");
      assert.equal(await search(), 200);
    } finally {
      await Promise.all([holder.end(), admin.end()]);
    }
  },
);
