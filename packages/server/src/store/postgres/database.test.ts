import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { sql } from "kysely";
import pg from "pg";
import { formatLocation } from "../../model/database-location.ts";
import { openDatabase } from "../database.ts";
import type { CallerKey, Database } from "../port.ts";
import { listAudit } from "../queries/audit.ts";
import { beginCrawl } from "../queries/crawl-checkpoints.ts";
import { findJob, nextJob } from "../queries/jobs.ts";
import { referencesOf } from "../queries/references.ts";
import {
  findServiceToken,
  insertServiceToken,
  listAllServiceTokens,
  listServiceTokens,
  removeWorkspaceFromTokens,
  serviceTokensById,
} from "../queries/service-tokens.ts";
import { findUser } from "../queries/users.ts";
import { stopping } from "../testing/later-migration.ts";
import { hasPooler, onPostgres, released } from "../testing/location.ts";
import {
  nodeId,
  scratchDatabase,
  scratchLocation,
  someConnection,
  someHash,
  someToken,
  someUser,
} from "../testing/scratch.ts";

const needsServer = { skip: !onPostgres && "it needs a PostgreSQL server" };

async function open(t: TestContext, url: string): Promise<Database> {
  const database = await openDatabase({ location: { kind: "postgres", url } });
  t.after(() => database.close());
  return database;
}

/** The URL of a new database with a parameter. */
async function urlWith(t: TestContext, parameter: string): Promise<string> {
  const url = formatLocation(await scratchLocation(t));
  return `${url}${url.includes("?") ? "&" : "?"}${parameter}`;
}

/** Ends all connections to the database but the one that asks, as a server does that restarts. */
async function endConnections(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(
    "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()",
  );
  await client.end();
}

test(
  "OPS-9: connections that the server ends are replaced, and what ran on them is unavailable",
  needsServer,
  async (t) => {
    const { database, url } = await scratchDatabase(t);
    const userId = await someUser(database);
    const writing = database.transaction(async (trx) => {
      await endConnections(url);
      await findUser(trx, userId);
    });
    await assert.rejects(writing, (error) => database.isUnavailable(error));
    assert.equal((await findUser(database.read, userId))?.id, userId);
    await endConnections(url);
    // The pool learns of it from the network.
    while (!(await database.ready()));
    assert.notEqual(await someUser(database), null);
  },
);

test(
  "OPS-9: a database that cannot be reached is unavailable, not ready, and takes no writes",
  needsServer,
  async (t) => {
    const { database, url } = await scratchDatabase(t);
    const name = new URL(url).pathname.slice(1);
    const others = new URL(url);
    others.pathname = "/postgres";
    const admin = new pg.Client({ connectionString: others.href });
    await admin.connect();
    t.after(() => admin.end());
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    while (await database.ready());
    await assert.rejects(findUser(database.read, "user"), (error) => database.isUnavailable(error));
    assert.equal(await database.canWrite(), false);
    await admin.query(`alter database ${name} allow_connections true`);
    while (!(await database.ready()));
    assert.equal(await findUser(database.read, "user"), null);
  },
);

test(
  "OPS-9: where all connections are in use a request is refused after three seconds",
  needsServer,
  async (t) => {
    const database = await open(t, await urlWith(t, "connection_limit=2"));
    const release = Promise.withResolvers<void>();
    const held = [1, 2].map(() =>
      database.snapshot(async (db) => {
        await findUser(db, "user");
        await release.promise;
      }),
    );
    try {
      await assert.rejects(findUser(database.read, "user"), (error) => database.isUnavailable(error));
    } finally {
      release.resolve();
    }
    await Promise.all(held);
    assert.equal(await findUser(database.read, "user"), null);
  },
);

test("OPS-8: all callers of a turn are read in one statement, which is prepared once", {
  skip: needsServer.skip || hasPooler,
}, async (t) => {
  const { database } = await scratchDatabase(t);
  const keys: CallerKey[] = [];
  for (let number = 0; number < 3; number += 1) {
    const userId = await someUser(database);
    await someConnection(database, userId);
    const hash = Buffer.from(someHash());
    await someToken(database, userId, { hash });
    keys.push({ kind: "service-token", hash });
  }
  const query = t.mock.method(pg.Client.prototype, "query");
  for (let turn = 1; turn <= 2; turn += 1) {
    const found = await Promise.all(
      [...keys, { kind: "session", sessionId: "none" } as const].map((key) => database.callers([key])),
    );
    assert.deepEqual(
      found.map(([record]) => record?.owner.connections.length),
      [1, 1, 1, undefined],
    );
    assert.equal(query.mock.callCount(), turn);
  }
  const names = query.mock.calls.map(({ arguments: [asked] }) => (asked as unknown as pg.QueryConfig).name);
  assert.equal(names.length, 2);
  assert.ok(names[0]);
  assert.equal(names[0], names[1]);
});

test(
  "OPS-8: statements of one turn share a connection, and one that fails leaves the others alone",
  needsServer,
  async (t) => {
    const { database } = await scratchDatabase(t);
    const pid = () => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(database.read);
    const [first, failed, last] = await Promise.allSettled([
      pid(),
      sql`select 1 / ${0}::int8`.execute(database.read),
      pid(),
    ]);
    assert.equal(failed.status, "rejected");
    assert.ok(first.status === "fulfilled" && last.status === "fulfilled");
    assert.deepEqual(first.value.rows, last.value.rows);
  },
);

test("OPS-8: a transaction sends its begin with its first statement", needsServer, async (t) => {
  const { database } = await scratchDatabase(t);
  const query = t.mock.method(pg.Client.prototype, "query");
  let isBegun = false;
  await database.snapshot(async (db) => {
    const [begin] = query.mock.calls;
    assert.match(String(begin?.arguments[0]), /^begin/);
    void Promise.resolve(begin?.result).then(() => {
      isBegun = true;
    });
    const found = findUser(db, "user");
    while (query.mock.callCount() < 2) await null;
    assert.equal(isBegun, false);
    await found;
    assert.equal(isBegun, true);
  });
});

test("OPS-8: an instance serves on while a newer one adds columns to the tables", needsServer, async (t) => {
  // One after the other, so all statements run on the connection that prepared them.
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const id = await someConnection(database, userId);
  const listing = { now: 1, limit: 10 };
  const search = { providers: ["some"], now: 1, maxNodes: null, except: [] };
  const use = async () => {
    await listServiceTokens(database.read, userId, listing);
    await findServiceToken(database.read, userId, 1);
    await serviceTokensById(database.read, new Set([1]));
    await listAllServiceTokens(database.read);
    await listAudit(database.read, userId, { limit: 10 });
    await referencesOf(database.read, id, { nodeId: nodeId(1), source: "text" });
    await findJob(database.read, id);
    await database.callers([{ kind: "session", sessionId: "none" }]);
    await database.transaction(async (trx) => {
      const rest = { name: "t", prefix: "svc_", workspaceIds: ["w"], expiresInDays: null, expiresAt: null };
      await insertServiceToken(trx, { userId, hash: someHash(), scopes: [], createdAt: 1, ...rest });
      await beginCrawl(trx, id, 1);
      await nextJob(trx, search);
      await removeWorkspaceFromTokens(trx, userId, "w", 1);
    });
  };
  await use();
  await database.transaction(async (trx) => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'public'`.execute(trx);
    for (const { name } of rows) await sql`alter table ${sql.table(name)} add column later int8`.execute(trx);
  });
  await use();
});

test("nothing is prepared behind a pooler", needsServer, async (t) => {
  const database = await open(t, await urlWith(t, "pgbouncer=true"));
  await someUser(database);
  const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(
    database.read,
  );
  assert.deepEqual(rows, [{ count: 0 }]);
});

test(
  "OPS-8: a server says how many connections it takes, and Clew how many it opens",
  needsServer,
  async (t) => {
    const database = await open(t, await urlWith(t, "connection_limit=7"));
    const room = await database.connectionRoom?.();
    if (hasPooler) return assert.equal(room, undefined);
    const { rows } = await sql<{
      limit: number;
    }>`select current_setting('max_connections')::int8 as limit`.execute(database.read);
    assert.deepEqual([room?.own, room?.limit], [19, (rows[0]?.limit ?? 0) - 3]);
    assert.ok((room?.open ?? 0) > 0);
  },
);

test("SYNC-9: times are the server's, not this machine's", needsServer, async (t) => {
  t.mock.method(Date, "now", () => 0);
  const { database } = await scratchDatabase(t);
  const { rows } = await sql<{ time: number }>`
    select (extract(epoch from clock_timestamp()) * 1000)::int8 as time`.execute(database.read);
  assert.ok(Math.abs(database.clock() - (rows[0]?.time ?? 0)) < 2_000);
});

/** Waits until a statement on the database waits for a lock. */
async function someoneWaits(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const waiting =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  while ((await client.query(waiting)).rowCount === 0);
  await client.end();
}

test("OPS-4: a migration waits for the transactions that write", needsServer, async (t) => {
  const { database, location, url } = await scratchDatabase(t);
  const events = new Set<string>();
  const begun = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const writing = database.transaction(async (trx) => {
    await findUser(trx, "user");
    begun.resolve();
    await release.promise;
    events.add("written");
  });
  await Promise.race([begun.promise, writing]);
  // It locks no table that the transaction uses.
  const migrations = [...released, { ...stopping, up: async () => {} }];
  const opening = openDatabase({ location, migrations }).then((newer) => {
    events.add("migrated");
    return newer.close();
  });
  await Promise.race([someoneWaits(url), opening]);
  release.resolve();
  await Promise.all([writing, opening]);
  assert.deepEqual([...events], ["written", "migrated"]);
});
