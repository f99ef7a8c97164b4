import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { scopeNames } from "@clew/contract";
import { credentialHash } from "../../packages/server/src/auth/draw-credential.ts";
import { CredentialSlots } from "../../packages/server/src/buckets/slots.ts";
import { openDatabase } from "../../packages/server/src/store/database.ts";
import { personTables } from "../../packages/server/src/store/person-tables.ts";
import type { Database } from "../../packages/server/src/store/port.ts";
import { deleteOldAudit } from "../../packages/server/src/store/queries/audit.ts";
import { withdrawnConnections } from "../../packages/server/src/store/queries/connections.ts";
import { nextJob } from "../../packages/server/src/store/queries/jobs.ts";
import { connectionsToShare } from "../../packages/server/src/store/queries/looks.ts";
import { recordTokenUse } from "../../packages/server/src/store/queries/service-tokens.ts";
import { purgeSessions } from "../../packages/server/src/store/queries/sessions.ts";
import {
  connectTo,
  newLocation,
  onPostgres,
  type ScratchLocation,
} from "../../packages/server/src/store/testing/location.ts";
import { codeFor, post, validExchange } from "../oauth/app.ts";
import { call } from "../support/call.ts";
import { markdownPage } from "../support/markdown-folder.ts";
import { createToken, signIn, waitForSync } from "../support/session.ts";
import {
  connectionIdsOf,
  followed,
  furnish,
  openTwoBuckets,
  refreshed,
  rowsOf,
  viewOf,
} from "./two-buckets.ts";

const needsServer = { skip: !onPostgres && "buckets are PostgreSQL databases" };

const slots = new CredentialSlots(2);

test(
  "OPS-13: a person is moved to another bucket with all that is theirs, and back",
  needsServer,
  async (t) => {
    const { url, databases, bucketsOf, move, stop } = await openTwoBuckets(t);
    const moved = await furnish(url);
    const other = await furnish(url, "Visitor");
    const { id: usedBefore, token: onlyBefore } = await createToken(
      url,
      moved.person.session,
      "used before the move alone",
    );
    assert.equal((await call(url, "api/v1/workspaces/", { token: onlyBefore })).status, 200);
    assert.deepEqual(await bucketsOf(), { [moved.id]: 2, [other.id]: 1 });
    const view = await viewOf(url, moved);
    const otherView = await viewOf(url, other);
    const pending = await codeFor(moved.person);
    const [one, two] = databases as [ScratchLocation, ScratchLocation];
    const ids = await connectionIdsOf(two, moved.id);
    const before = await rowsOf(two, moved.id, ids);
    for (const table of ["sessions", "service_tokens", "app_codes", "audit", "nodes", "contents"])
      assert.ok((before[table] ?? 0) > 0, `nothing in ${table}`);

    assert.equal(await move(moved.id, 1), "moved");
    assert.deepEqual(await bucketsOf(), { [moved.id]: 1, [other.id]: 1 });
    assert.deepEqual({ ...(await rowsOf(one, moved.id, ids)), sync_jobs: 0 }, { ...before, sync_jobs: 0 });
    const left = await rowsOf(two, moved.id, []);
    assert.deepEqual(new Set(Object.values(left)), new Set([0]), JSON.stringify(left));
    assert.equal(slots.bucketOf(credentialHash(moved.token)), 2, "its slot leads to the other bucket");
    await waitForSync(url, moved.person.session);
    assert.deepEqual(await viewOf(url, moved), view);
    assert.deepEqual(await viewOf(url, other), otherView);

    // Codes and sessions of before hold.
    const exchanged = await post(url, "token", validExchange(url, pending));
    assert.equal(exchanged.status, 200);
    const { status, body } = await refreshed(url, moved.person.session);
    assert.equal(status, 200);
    assert.equal((await call(url, "api/auth/me/", { token: body.access })).status, 200);
    const again = await signIn(url);
    const { body: me } = await call<{ id: string }>(url, "api/auth/me/", { token: again.access });
    assert.equal(me.id, moved.id, "a sign-in leads to the same account");
    const fresh = await createToken(url, again, "made after the move");
    assert.equal(slots.bucketOf(credentialHash(fresh.token)), 1);
    assert.equal(await move(moved.id, 1), "there-already");

    // New lines of the audit trail come before those that were moved, whose ids are lower.
    const audit = (await viewOf(url, moved))["api/audit/"] as { event: string }[];
    const earlier = view["api/audit/"] as unknown[];
    assert.deepEqual(audit.slice(-earlier.length), earlier);
    assert.equal(audit[0]?.event, "token_created");

    await waitForSync(url, again);
    const later = await viewOf(url, moved);
    assert.equal(await move(moved.id, 2), "moved");
    await waitForSync(url, again);
    assert.deepEqual(await viewOf(url, moved), later);
    // Revocations and sign-outs reach the person where they are.
    const revoked = await call(url, `api/tokens/${fresh.id}/`, { method: "DELETE", token: again.access });
    assert.equal(revoked.status, 204);
    const refused = await call(url, "api/v1/recent/", { token: fresh.token });
    assert.deepEqual([refused.status, refused.body.code], [401, "token_revoked"]);
    const out = { method: "POST", token: again.access, body: { refresh: again.refresh } };
    assert.equal((await call(url, "api/auth/logout/", out)).status, 204);
    assert.equal((await refreshed(url, again)).status, 401);
    assert.equal(await move(moved.id, 1), "moved");
    // Uses are written after a while, to where the token then is.
    await stop();
    const client = await connectTo(one.url);
    const { rows } = await client.query("select last_used_at from service_tokens where id = $1", [
      usedBefore,
    ]);
    await client.end();
    assert.ok(Number(rows[0]?.last_used_at) > 0, "the time of a use is lost");
  },
);

test(
  "OPS-13: what writes during a move is refused or carried over, and nothing is lost",
  needsServer,
  async (t) => {
    const { url, folder, bucketsOf, move } = await openTwoBuckets(t);
    const moved = await furnish(url);
    const other = await furnish(url, "Visitor");
    const { session } = moved.person;
    let isOver = false;
    const made: string[] = [];
    const statuses = new Set<number>();
    const others = new Set<number>();
    const write = async () => {
      while (!isOver) {
        const created = await call<{ id: number; token: string }>(url, "api/tokens/", {
          method: "POST",
          token: session.access,
          body: {
            name: "busy",
            scopes: scopeNames,
            workspace_ids: moved.person.workspaceIds,
            expires_in_days: 1,
          },
        });
        statuses.add(created.status);
        if (created.status !== 201) continue;
        made.push(created.body.token);
        // Ten are the limit: revoke each but the last.
        const removed = await call(url, `api/tokens/${created.body.id}/`, {
          method: "DELETE",
          token: session.access,
        });
        if (removed.status === 204) made.pop();
        statuses.add(removed.status);
        if (made.length > 3) break;
      }
    };
    const readOthers = async () => {
      while (!isOver) others.add((await call(url, "api/v1/recent/", { token: other.token })).status);
    };
    const use = async () => {
      while (!isOver) statuses.add((await call(url, "api/v1/recent/", { token: moved.token })).status);
    };
    const working = [write(), readOthers(), use()];
    await writeFile(join(folder, "daedalus.md"), markdownPage("Daedalus", "He built the labyrinth."));
    // Before its sync has ended.
    await call(url, `api/provider-graph/workspaces/${moved.person.workspaceIds[0]}/sync/`, {
      method: "POST",
      token: session.access,
    });
    for (const to of [1, 2]) {
      assert.equal(await move(moved.id, to), "moved");
      assert.equal((await bucketsOf())[moved.id], to);
    }
    isOver = true;
    await Promise.all(working);
    assert.deepEqual([...others], [200], "nobody else notices");
    for (const status of statuses) assert.ok([200, 201, 204, 503].includes(status), `a status ${status}`);
    assert.ok(statuses.has(503), "nothing was refused");
    for (const token of made)
      assert.equal(
        (await call(url, "api/v1/workspaces/", { token })).status,
        200,
        "an acknowledged token is lost",
      );
    await waitForSync(url, session);
    const found = await call<{ items: { node: { title: string } }[] }>(url, "api/v1/search/?q=Daedalus", {
      token: moved.token,
    });
    assert.deepEqual(
      found.body.items.map(({ node }) => node.title),
      ["Daedalus"],
    );
  },
);

test(
  "OPS-13: the database refuses each write of a person who is being moved, in every table",
  needsServer,
  async (t) => {
    const { url, databases, move, stop } = await openTwoBuckets(t);
    const moved = await furnish(url);
    const other = await furnish(url, "Visitor");
    await stop();
    const [one, two] = databases as [ScratchLocation, ScratchLocation];
    const ids = await connectionIdsOf(two, moved.id);
    await fillTables(two, moved.id, ids[0] ?? 0);
    const filled = await rowsOf(two, moved.id, ids);
    for (const [table, count] of Object.entries(filled)) assert.ok(count > 0, `nothing in ${table}`);
    await assert.rejects(
      move(moved.id, 1, (step) => {
        if (step === "copied") throw new Error("killed");
      }),
      /killed/,
    );
    assert.deepEqual(await rowsOf(one, moved.id, ids), filled, "all rows are copied");
    for (const bucket of databases) {
      const database = await openDatabase(bucket);
      t.after(() => database.close());
      const client = await connectTo(bucket.url);
      for (const { name, by } of followed) {
        const [owner, owned] =
          by === "connection_id" ? [ids, "connection_id = any($1::int8[])"] : [moved.id, `${by} = $1`];
        const writes = [
          `update ${name} set ${by} = ${by} where ${owned}`,
          `delete from ${name} where ${owned}`,
          `insert into ${name} overriding system value select * from ${name} where ${owned}`,
        ];
        for (const write of writes) await assert.rejects(client.query(write, [owner]), /being moved/, write);
      }
      await client.end();
      const refused = database.record((trx) =>
        trx.deleteFrom("audit").where("user_id", "=", moved.id).execute(),
      );
      await assert.rejects(refused, (error) => database.isUnavailable(error));
    }
    const there = await openDatabase({ location: one.location });
    t.after(() => there.close());
    const untouched = await there.transaction((trx) =>
      trx.updateTable("users").set({ name: "changed" }).where("id", "=", other.id).executeTakeFirst(),
    );
    assert.equal(Number(untouched.numUpdatedRows), 1, "all others can be written");
    await requireOthersServed(there);
    assert.equal(await move(moved.id, 1), "moved");
    // New ids: the rows are the same but for them.
    assert.deepEqual(await rowsOf(one, moved.id, ids), filled);
  },
);

test("OPS-13: a transaction that began before a move cannot write after it", needsServer, async (t) => {
  const { url, databases, move } = await openTwoBuckets(t);
  const moved = await furnish(url);
  const [, two] = databases as [ScratchLocation, ScratchLocation];
  const client = await connectTo(two.url);
  await client.query("begin isolation level serializable");
  // Its snapshot is from before the mark.
  await client.query("select count(*) from users");
  await assert.rejects(
    move(moved.id, 1, (step) => {
      if (step === "copied") throw new Error("killed");
    }),
    /killed/,
  );
  await assert.rejects(
    client.query("delete from audit where user_id = $1", [moved.id]),
    /could not serialize|being moved/,
  );
  await client.query("rollback");
  // One that has written holds the move up, and is carried over.
  assert.equal(await move(moved.id, 2), "taken-back");
  await client.query("begin");
  await client.query("update users set name = 'written meanwhile' where id = $1", [moved.id]);
  const moving = move(moved.id, 1);
  await new Promise((resolve) => setTimeout(resolve, 200));
  await client.query("commit");
  await client.end();
  assert.equal(await moving, "moved");
  const { body } = await call<{ name: string }>(url, "api/auth/me/", { token: moved.person.session.access });
  assert.equal(body.name, "written meanwhile");
});

test("OPS-13: every table with rows of people is moved, or is known to stay", needsServer, async (t) => {
  const { location, url, remove } = await newLocation();
  t.after(remove);
  await (await openDatabase({ location })).close();
  const client = await connectTo(url);
  // Indexes of texts are built anew, and what tokens read stays behind.
  const { rows } = await client.query(`
    select table_name as name, column_name as column from information_schema.columns
    where table_schema = 'public' and column_name in ('user_id', 'connection_id')
      and table_name not like 'text\\_%' and table_name not like 'activity\\_%'`);
  const { rows: triggers } = await client.query(`
    select tgrelid::regclass::text as name, encode(tgargs, 'escape') as args, tgenabled as enabled
    from pg_trigger where tgname = 'refuse_moving'`);
  await client.end();
  const staying = new Set(
    Object.entries(personTables).flatMap(([name, how]) => ("stays" in how ? [name] : [])),
  );
  const byName = (one: { name: string }, another: { name: string }) => (one.name < another.name ? -1 : 1);
  assert.deepEqual(
    rows
      .map(({ name, column }) => ({ name, by: column }))
      .filter(({ name, by }) => !(name === "connections" && by === "connection_id"))
      .filter(({ name }) => !staying.has(name))
      .sort(byName),
    followed.filter(({ name }) => name !== "users").sort(byName),
  );
  assert.deepEqual(
    triggers
      .map(({ name, args, enabled }) => ({ name, by: args.replace("\\000", ""), enabled }))
      .sort(byName),
    followed.map((table) => ({ ...table, enabled: "D" })).sort(byName),
  );
});

/** Gives each table that has none a row of the person. */
async function fillTables({ url }: ScratchLocation, userId: string, connectionId: number): Promise<void> {
  const client = await connectTo(url);
  const { rows: found } = await client.query("select id from nodes where connection_id = $1 limit 1", [
    connectionId,
  ]);
  const known: Readonly<Record<string, unknown>> = {
    user_id: userId,
    connection_id: connectionId,
    database_id: found[0].id,
    // Lists as JSON.
    named: "[]",
    follow_up_named: "[]",
  };
  const values: Readonly<Record<string, unknown>> = { bigint: 1, text: "x", bytea: Buffer.alloc(16, 1) };
  for (const { name, by } of followed) {
    const owner = by === "connection_id" ? connectionId : userId;
    const { rowCount } = await client.query(`select from ${name} where ${by} = $1 limit 1`, [owner]);
    if (rowCount !== 0) continue;
    const { rows: columns } = await client.query(
      `select column_name as name, data_type as type from information_schema.columns
      where table_name = $1 and is_identity = 'NO'`,
      [name],
    );
    const names = columns.map((column) => `"${column.name}"`).join(", ");
    const places = columns.map((_, index) => `$${index + 1}`).join(", ");
    await client.query(
      `insert into ${name} (${names}) values (${places})`,
      columns.map((column) => known[column.name] ?? values[column.type]),
    );
  }
  await client.end();
}

/** Throws if work for all people of a bucket fails, or changes anything, because one of them is being moved. */
async function requireOthersServed(database: Database): Promise<void> {
  const future = 4e12;
  const search = { provider: "any", now: future, maxNodes: null, except: [] };
  const [user] = await database.read
    .selectFrom("users")
    .select("provider")
    .where("moving", "is not", null)
    .execute();
  assert.ok(user !== undefined);
  await database.transaction(async (trx) => {
    await purgeSessions(trx, future);
    await deleteOldAudit(trx, future, 100);
    const job = await nextJob(trx, { ...search, providers: [user.provider] });
    assert.ok((job?.connectionId ?? 0) < 2 ** 40);
    assert.deepEqual(await withdrawnConnections(trx, future), []);
    assert.deepEqual(
      await connectionsToShare(trx, [user.provider]).then((all) => all.filter(({ id }) => id > 2 ** 40)),
      [],
    );
    await recordTokenUse(
      trx,
      new Map((await trx.selectFrom("service_tokens").select("id").execute()).map(({ id }) => [id, future])),
    );
  });
}
