import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { MoveRefused, type MoveStep } from "../../packages/server/src/buckets/move-person.ts";
import {
  connectTo,
  onPostgres,
  type ScratchLocation,
} from "../../packages/server/src/store/testing/location.ts";
import { codeFor, post, validExchange } from "../oauth/app.ts";
import { call } from "../support/call.ts";
import { main, withoutEnvFile, withoutSettings } from "../support/clew-process.ts";
import { signIn, waitForSync } from "../support/session.ts";
import { furnish, openTwoBuckets, refreshed, viewOf } from "./two-buckets.ts";

/*
 * Moves that end early. `npm run campaign move-person` sets WHERE to `everywhere`; the tests take some of the places, others each day.
 */

const needsServer = { skip: !onPostgres && "buckets are PostgreSQL databases" };

const isEverywhere = process.env.WHERE === "everywhere";
const day = Math.floor(Date.now() / 86_400_000);

/** All places in a campaign; otherwise `count` of them, in their order. */
function someOf<Place>(places: readonly Place[], count: number): readonly Place[] {
  if (isEverywhere) return places;
  const drawn = places.map((_, index) => (index * 3 + day) % places.length).slice(0, count);
  return places.filter((_, index) => drawn.includes(index));
}

const steps: readonly MoveStep[] = ["marked", "quiet", "closed", "copied", "settled", "live", "left"];

test("OPS-13: a move that ends at any step is repeated, and nothing is lost", needsServer, async (t) => {
  const { url, databases, bucketsOf, move } = await openTwoBuckets(t);
  const moved = await furnish(url);
  await furnish(url, "Visitor");
  const { access } = moved.person.session;
  const view = await viewOf(url, moved);
  let to = 2;
  for (const last of someOf(steps, 2)) {
    to = 3 - to;
    const killed = new Error(`killed after ${last}`);
    const end = (step: MoveStep) => {
      if (step === last) throw killed;
    };
    await assert.rejects(move(moved.id, to, end), killed);
    const isOver = last === "live" || last === "left";
    const statuses: number[] = [];
    for (const token of [moved.token, moved.app === "" ? "" : moved.token, access]) {
      const path = token === access ? "api/auth/me/" : "api/v1/workspaces/";
      const answer = await call(url, path, { token });
      statuses.push(answer.status);
      if (!isOver) assert.ok(Number(answer.headers.get("retry-after")) > 0);
    }
    statuses.push((await refreshed(url, moved.person.session)).status);
    statuses.push((await post(url, "revoke", { token: "svc_unknown" })).status);
    assert.deepEqual(statuses, isOver ? [200, 200, 200, 200, 200] : [503, 503, 503, 503, 200], last);
    assert.equal(await move(moved.id, to), last === "left" ? "there-already" : "moved");
    assert.equal((await bucketsOf())[moved.id], to);
    assert.deepEqual(await viewOf(url, moved), view, last);
  }
  for (const database of databases) await requireNoTriggers(database);
});

test("OPS-13: a move that is not complete can be taken back", needsServer, async (t) => {
  const { url, databases, bucketsOf, move } = await openTwoBuckets(t);
  const moved = await furnish(url);
  await furnish(url, "Visitor");
  const view = await viewOf(url, moved);
  for (const last of someOf(["marked", "copied", "settled"] as const, 1)) {
    const end = (step: MoveStep) => {
      if (step === last) throw new Error("killed");
    };
    const code = await codeFor(moved.person);
    await assert.rejects(move(moved.id, 1, end), /killed/);
    // Requests with a credential in their body, or with none yet.
    assert.equal((await post(url, "token", validExchange(url, code))).status, 503);
    assert.equal((await post(url, "revoke", { token: moved.app })).status, 503);
    // Before the databases refuse writes, a sign-in is carried over.
    if (last !== "marked") await assert.rejects(signIn(url));
    await assert.rejects(move(moved.id, 3), MoveRefused);
    assert.equal(await move(moved.id, 2), "taken-back");
    assert.equal((await bucketsOf())[moved.id], 2);
    assert.deepEqual(await viewOf(url, moved), view);
    assert.equal((await post(url, "token", validExchange(url, code))).status, 200);
    const again = await signIn(url);
    const { body } = await call<{ id: string }>(url, "api/auth/me/", { token: again.access });
    assert.equal(body.id, moved.id);
    await waitForSync(url, again);
    await call(url, "api/auth/logout/", {
      method: "POST",
      token: again.access,
      body: { refresh: again.refresh },
    });
    Object.assign(view, await viewOf(url, moved));
  }
  for (const database of databases) await requireNoTriggers(database);
  // A copy that has become live, by whatever mistake, is not deleted.
  const become = (mark: number | null) =>
    asMove(databases[0], "update users set moving = $2, name = 'live' where id = $1", [moved.id, mark]);
  await assert.rejects(
    move(moved.id, 1, (step) => {
      if (step === "copied") throw new Error("killed");
    }),
    /killed/,
  );
  await assert.rejects(
    move(moved.id, 1, async (step) => {
      if (step === "closed") await become(null);
    }),
    /They live in this bucket already/,
  );
  await become(1);
  await assert.rejects(
    move(moved.id, 1, (step) => {
      if (step === "live") throw new Error("killed");
    }),
    /killed/,
  );
  await assert.rejects(move(moved.id, 2), /repeat that with `--to 1`/);
  assert.equal(await move(moved.id, 1), "moved");
  await assert.rejects(move("nobody", 1), /There is no user nobody/);
});

test("OPS-13: `clew move-person` that is killed is repeated", needsServer, async (t) => {
  const { url, context, bucketsOf, move } = await openTwoBuckets(t);
  const moved = await furnish(url);
  const view = await viewOf(url, moved);
  const run = () => {
    const child = spawn(process.execPath, [main, "move-person", moved.id, "--to", "1"], {
      cwd: withoutEnvFile,
      env: { ...withoutSettings, ...context.env },
      stdio: ["ignore", "pipe", "inherit"],
    });
    return { child, lines: createInterface(child.stdout) };
  };
  for (const line of [...someOf([1, 2], 1), 3]) {
    const { child, lines } = run();
    let seen = 0;
    for await (const _ of lines) {
      seen += 1;
      if (seen === line) break;
    }
    assert.equal(seen, line);
    child.kill("SIGKILL");
    await once(child, "close");
    if (line < 3) assert.equal((await call(url, "api/v1/workspaces/", { token: moved.token })).status, 503);
  }
  assert.equal((await call(url, "api/v1/workspaces/", { token: moved.token })).status, 200);
  assert.equal(await move(moved.id, 1), "moved");
  assert.equal((await bucketsOf())[moved.id], 1);
  await waitForSync(url, moved.person.session);
  assert.deepEqual(await viewOf(url, moved), view);
});

/** Runs a statement that triggers let through. */
async function asMove(database: ScratchLocation | undefined, statement: string, values: readonly unknown[]) {
  const client = await connectTo(database?.url ?? "");
  await client.query("begin");
  await client.query("select set_config('clew.moves', 'on', true)");
  await client.query(statement, [...values]);
  await client.query("commit");
  await client.end();
}

/** Throws if triggers slow the writes of a database down in which nobody is moved. */
async function requireNoTriggers({ url }: ScratchLocation): Promise<void> {
  const client = await connectTo(url);
  const { rows } = await client.query(
    "select distinct tgenabled from pg_trigger where tgname = 'refuse_moving'",
  );
  await client.end();
  assert.deepEqual(rows, [{ tgenabled: "D" }]);
}
