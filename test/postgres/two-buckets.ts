import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import {
  type MoveStep,
  type MovingBucket,
  movePerson,
} from "../../packages/server/src/buckets/move-person.ts";
import { type CliContext, withBuckets } from "../../packages/server/src/cli/installation.ts";
import { listAccounts } from "../../packages/server/src/cli/users.ts";
import { openPersonMover } from "../../packages/server/src/store/database.ts";
import { type PersonTable, personTables } from "../../packages/server/src/store/person-tables.ts";
import {
  connectTo,
  newLocation,
  type ScratchLocation,
} from "../../packages/server/src/store/testing/location.ts";
import { freePort } from "../../scripts/free-port.ts";
import { arrive, connect, type Person } from "../oauth/app.ts";
import { call } from "../support/call.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, type SignedIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage } from "../support/stage.ts";

/** Tables whose rows follow a person. */
export const followed = Object.entries(personTables as Readonly<Record<string, PersonTable>>).flatMap(
  ([name, how]) => ("by" in how ? [{ name, by: how.by }] : []),
);

/** Starts a Clew with two buckets. */
export async function openTwoBuckets(t: TestContext) {
  const stage = await openStage();
  t.after(() => stage.close());
  const folder = await writeSmallWorkspace(stage);
  const databases: ScratchLocation[] = [];
  for (let made = 0; made < 2; made += 1) {
    const database = await newLocation();
    t.after(database.remove);
    databases.push(database);
  }
  const env = {
    DATABASE_URL: databases.map(({ url }) => url).join(","),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    PORT: String(await freePort()),
  };
  const clew = await startRunning({ directory: folder, env });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await clew.stop();
    isStopped = true;
  };
  t.after(stop);
  const { url, dataDir } = clew;
  const printed: string[] = [];
  const context: CliContext = {
    env: { ...env, DATA_DIR: dataDir },
    fromEnvFile: new Set(),
    random: randomBytes,
    print: (line) => void printed.push(line),
    writeLog: () => {},
  };
  /** The bucket of each person, as `clew users list` shows it. */
  const bucketsOf = async (): Promise<Readonly<Record<string, number>>> => {
    printed.length = 0;
    await listAccounts(context, { json: true });
    const accounts: { id: string; bucket: number }[] = JSON.parse(printed.join("\n"));
    return Object.fromEntries(accounts.map(({ id, bucket }) => [id, bucket]));
  };
  /** Moves a person without waiting for the end of earlier requests. */
  const move = (userId: string, to: number, onStep: (step: MoveStep) => Promise<void> | void = () => {}) =>
    withBuckets(context, async (installations) => {
      const buckets: MovingBucket[] = [];
      for (const { number, secrets, database } of installations)
        buckets.push({ number, secrets, mover: await openPersonMover(database.location) });
      try {
        return await movePerson({ buckets, userId, to, settleMs: 0, onStep });
      } finally {
        for (const { mover } of buckets) await mover.close();
      }
    });
  return { url, folder, databases, context, bucketsOf, move, stop };
}

/** A person with a session, tokens, a connected app and a synced graph. */
export interface Furnished {
  readonly person: Person;
  readonly id: string;
  readonly token: string;
  readonly app: string;
}

export async function furnish(url: URL, name?: string): Promise<Furnished> {
  const person = await arrive(url, name);
  const { session } = person;
  await waitForSync(url, session);
  const { token } = await createToken(url, session, "used");
  const { id: gone, token: revoked } = await createToken(url, session, "revoked");
  await call(url, `api/tokens/${gone}/`, { method: "DELETE", token: session.access });
  assert.equal((await call(url, "api/v1/recent/", { token: revoked })).status, 401);
  const app = String((await connect(person)).access_token);
  const { body } = await call<{ id: string }>(url, "api/auth/me/", { token: session.access });
  return { person, id: body.id, token, app };
}

/** Fields that the next sync or use changes, whether or not the person was moved. */
const passing = new Set(["last_synced_at", "last_used_at", "refreshed_from", "last_refreshed_at"]);

/** All that a person sees through the public API, but for ids of audit lines, later syncs and times of use. */
export async function viewOf(
  url: URL,
  { person, token, app }: Furnished,
): Promise<Readonly<Record<string, unknown>>> {
  const { session } = person;
  const [workspace = ""] = person.workspaceIds;
  const view: Record<string, unknown> = {};
  const read = async (path: string, bearer: string) => {
    const { status, body } = await call<Record<string, unknown>>(url, path, { token: bearer });
    assert.equal(status, 200, `${path}: ${JSON.stringify(body)}`);
    view[path] = JSON.parse(JSON.stringify(body, (key, value) => (passing.has(key) ? undefined : value)));
    return body;
  };
  for (const path of ["auth/me/", "auth/sessions/", "tokens/"]) await read(`api/${path}`, session.access);
  const audit = await read("api/audit/", session.access);
  view["api/audit/"] = (audit.items as { id: number }[]).map(({ id, ...line }) => line);
  const syncs = await read(`api/provider-graph/workspaces/${workspace}/syncs/`, session.access);
  view[`api/provider-graph/workspaces/${workspace}/syncs/`] = (syncs.items as unknown[]).at(-1);
  for (const path of ["tree/", "changes/", "recent/", "broken/", "search/?q=thread"])
    await read(`api/v1/${path}`, token);
  const { items } = view["api/v1/changes/"] as { items: { node: { id: string } }[] };
  assert.ok(items.length > 2);
  await read(`api/v1/edges/?ids=${items.map(({ node }) => node.id).join(",")}`, token);
  for (const { node } of items) {
    await read(`api/v1/nodes/${node.id}/`, token);
    await read(`api/v1/nodes/${node.id}/content/`, token);
  }
  const mcp = await fetch(new URL("api/v1/mcp", url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${app}`,
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
  });
  assert.equal(mcp.status, 200, await mcp.text());
  return view;
}

export const refreshed = (url: URL, { refresh }: Pick<SignedIn, "refresh">) =>
  call<{ access: string }>(url, "api/auth/refresh/", { method: "POST", body: { refresh } });

/** The number of rows that a database has of a person, by table; of their connections, by the ids of these. */
export async function rowsOf({ url }: ScratchLocation, userId: string, connectionIds: readonly number[]) {
  const client = await connectTo(url);
  try {
    const counts: Record<string, number> = {};
    for (const { name, by } of followed) {
      const values: unknown[] = by === "connection_id" ? [connectionIds] : [userId];
      const condition = by === "connection_id" ? "connection_id = any($1::int8[])" : `${by} = $1`;
      const { rows } = await client.query<{ count: string }>(
        `select count(*) from ${name} where ${condition}`,
        values,
      );
      counts[name] = Number(rows[0]?.count);
    }
    return counts;
  } finally {
    await client.end();
  }
}

export async function connectionIdsOf({ url }: ScratchLocation, userId: string): Promise<number[]> {
  const client = await connectTo(url);
  const { rows } = await client.query("select id from connections where user_id = $1", [userId]);
  await client.end();
  return rows.map(({ id }) => Number(id));
}
