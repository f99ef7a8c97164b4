import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, type TestContext, test } from "node:test";
import { credentialHash } from "../../packages/server/src/auth/draw-credential.ts";
import { CredentialSlots } from "../../packages/server/src/buckets/slots.ts";
import { printConnections } from "../../packages/server/src/cli/connections.ts";
import type { CliContext } from "../../packages/server/src/cli/installation.ts";
import { rotateKeys } from "../../packages/server/src/cli/keys.ts";
import { listTokens, revokeToken } from "../../packages/server/src/cli/tokens.ts";
import { listAccounts, removeUser, signOutUser } from "../../packages/server/src/cli/users.ts";
import { verify } from "../../packages/server/src/cli/verify.ts";
import { openReader } from "../../packages/server/src/store/database.ts";
import { DatabaseError } from "../../packages/server/src/store/port.ts";
import { connectionIds } from "../../packages/server/src/store/queries/connections.ts";
import { countUsers } from "../../packages/server/src/store/queries/users.ts";
import {
  newLocation,
  onPostgres,
  type ScratchLocation,
} from "../../packages/server/src/store/testing/location.ts";
import { recordStatements } from "../../packages/server/src/store/testing/record-statements.ts";
import { freePort } from "../../scripts/free-port.ts";
import { arrive, connect, type Person, statusWith, tokensOf } from "../oauth/app.ts";
import { call } from "../support/call.ts";
import { startRunning } from "../support/running-clew.ts";
import { createToken, type SignedIn, signIn, waitForSync } from "../support/session.ts";
import { writeSmallWorkspace } from "../support/small-workspace.ts";
import { openStage } from "../support/stage.ts";
import { openTcpProxy } from "../support/tcp-proxy.ts";

const needsServer = { skip: !onPostgres && "buckets are PostgreSQL databases" };

const stage = await openStage();
after(() => stage.close());

let written: Promise<string> | null = null;

/** A folder with a few pages, for all tests. */
function workspace(): Promise<string> {
  written ??= writeSmallWorkspace(stage);
  return written;
}

const slots = new CredentialSlots(2);

const encryptionKey = randomBytes(32).toString("base64");

/** Empty databases. */
async function newDatabases(t: TestContext, count: number): Promise<ScratchLocation[]> {
  const databases: ScratchLocation[] = [];
  for (let made = 0; made < count; made += 1) {
    const database = await newLocation();
    t.after(database.remove);
    databases.push(database);
  }
  return databases;
}

async function start(t: TestContext, urls: readonly string[], port?: number) {
  const clew = await startRunning({
    directory: await workspace(),
    env: {
      DATABASE_URL: urls.join(","),
      ENCRYPTION_KEY: encryptionKey,
      ...(port !== undefined && { PORT: String(port) }),
    },
  });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await clew.stop();
    isStopped = true;
  };
  t.after(stop);
  return { ...clew, stop };
}

/** The number of people in a database, and the ids of connections. */
async function contentOf({ location }: ScratchLocation) {
  const { read, close } = await openReader(location);
  try {
    return { people: await countUsers(read), connectionIds: await connectionIds(read) };
  } finally {
    await close();
  }
}

/** The number of people in each database. */
const peopleIn = async (databases: readonly ScratchLocation[]) =>
  (await Promise.all(databases.map(contentOf))).map(({ people }) => people);

/** The id in the access token of a session (RFC 7519, section 3). */
function sessionIdOf({ access }: SignedIn): string {
  const [, claims = ""] = access.split(".");
  return JSON.parse(Buffer.from(claims, "base64url").toString()).sid;
}

const statusOf = async (base: URL, path: string, token: string) => (await call(base, path, { token })).status;

async function refresh(base: URL, { refresh }: Pick<SignedIn, "refresh">) {
  return call<{ access: string }>(base, "api/auth/refresh/", { method: "POST", body: { refresh } });
}

test(
  "OPS-13: people live in different databases, and whatever they present leads to theirs",
  needsServer,
  async (t) => {
    const databases = await newDatabases(t, 2);
    const { url } = await start(
      t,
      databases.map((each) => each.url),
    );
    const recorded = recordStatements(t);
    const people: Person[] = [await arrive(url), await arrive(url, "Visitor")];
    for (const { session } of people) await waitForSync(url, session);
    const contents = await Promise.all(databases.map(contentOf));
    assert.deepEqual(
      contents.map(({ people }) => people),
      [1, 1],
    );
    const [[first = 0] = [], [second = 0] = []] = contents.map(({ connectionIds }) => connectionIds);
    assert.ok(first < 2 ** 40 && second > 2 ** 40, "ids are unique over buckets");

    for (const person of people) {
      const { session } = person;
      const { token, id } = await createToken(url, session, "of a bucket");
      const found = await call<{ items: { id: string }[] }>(url, "api/v1/recent/", { token });
      assert.equal(found.status, 200);
      assert.equal(await statusOf(url, "api/provider-graph/recent/", session.access), 200);
      const before = recorded().length;
      assert.equal(await statusOf(url, "api/v1/workspaces/", token), 200);
      const lookUps = recorded()
        .slice(before)
        // Uses are recorded beside requests, and read tokens too.
        .filter((statement) => /"service_tokens"\."hash" = any/.test(statement));
      assert.equal(lookUps.length, 1, "a credential is looked up once");
      const refreshed = await refresh(url, session);
      assert.equal(refreshed.status, 200);
      assert.equal(await statusOf(url, "api/auth/me/", refreshed.body.access), 200);
      const app = await connect(person);
      // They lead there by themselves: no other bucket is asked.
      const number = person === people[0] ? 2 : 1;
      for (const credential of [token, app.access_token, sessionIdOf(session)])
        assert.equal(slots.bucketOf(credentialHash(String(credential))), number);
      assert.equal(await statusWith(url, app.access_token), 200);
      assert.deepEqual(
        (await tokensOf(person)).map(({ name }) => name).sort(),
        ["Claude Code", "of a bucket"].sort(),
      );
      const revoked = await call(url, `api/tokens/${id}/`, { method: "DELETE", token: session.access });
      assert.equal(revoked.status, 204);
      const refused = await call(url, "api/v1/recent/", { token });
      assert.deepEqual([refused.status, refused.body.code], [401, "token_revoked"]);
      const out = { method: "POST", token: refreshed.body.access, body: { refresh: session.refresh } };
      assert.equal((await call(url, "api/auth/logout/", out)).status, 204);
      assert.equal((await refresh(url, session)).status, 401);
    }
    const unknown = await call(url, "api/v1/recent/", { token: `svc_${"a".repeat(32)}` });
    assert.deepEqual([unknown.status, unknown.body.code], [401, "token_invalid"]);
    // The same person finds their account again.
    const again = await signIn(url, { person: "Visitor" });
    await waitForSync(url, again);
    assert.deepEqual(await peopleIn(databases), [1, 1]);
  },
);

test("OPS-13: commands of the operator work on all buckets", needsServer, async (t) => {
  const databases = await newDatabases(t, 2);
  const urls = databases.map((each) => each.url);
  const { url, dataDir } = await start(t, urls);
  const people = [await arrive(url), await arrive(url, "Visitor")];
  const tokens = [];
  for (const { session } of people) tokens.push(await createToken(url, session, "to be listed"));
  const printed: string[] = [];
  const context: CliContext = {
    env: { DATABASE_URL: urls.join(","), ENCRYPTION_KEY: encryptionKey, DATA_DIR: dataDir },
    fromEnvFile: new Set(),
    random: randomBytes,
    print: (line) => void printed.push(line),
    writeLog: () => {},
  };
  const read = async (command: Promise<void>) => {
    await command;
    return printed.splice(0).join("\n");
  };
  const accounts: { id: string; tokens: number }[] = JSON.parse(
    await read(listAccounts(context, { json: true })),
  );
  assert.deepEqual(
    accounts.map((account) => account.tokens),
    [1, 1],
  );
  const connections: { id: number }[] = JSON.parse(await read(printConnections(context, { json: true })));
  assert.equal(connections.length, 2);
  assert.equal(JSON.parse(await read(listTokens(context, { json: true }))).length, 2);
  assert.match(await read(verify(context, undefined)), /is sound.*\n.*is sound/);
  for (const { id } of tokens) await read(revokeToken(context, String(id)));
  for (const { token } of tokens) assert.equal(await statusOf(url, "api/v1/workspaces/", token), 401);
  await read(rotateKeys(context, {}));
  for (const { session } of people) assert.equal((await refresh(url, session)).status, 200);
  for (const { id } of accounts) await read(signOutUser(context, id));
  for (const { session } of people) assert.equal((await refresh(url, session)).status, 401);
  for (const { id } of accounts) await read(removeUser(context, id));
  assert.deepEqual(await peopleIn(databases), [0, 0]);
});

test(
  "OPS-13: while a bucket is away, the people of the others are served, and its own again when it is back",
  needsServer,
  async (t) => {
    const databases = await newDatabases(t, 2);
    const behind = new URL(databases[1]?.url ?? "");
    const port = Number(behind.port || 5432);
    const proxy = await openTcpProxy(port);
    t.after(() => proxy.close());
    behind.port = String(proxy.port);
    const { url } = await start(t, [databases[0]?.url ?? "", behind.href]);
    const there = await arrive(url);
    const here = await arrive(url, "Visitor");
    const tokens = [
      (await createToken(url, here.session, "here")).token,
      (await createToken(url, there.session, "there")).token,
    ];
    const statuses = () =>
      Promise.all([
        ...tokens.map((token) => statusOf(url, "api/v1/workspaces/", token)),
        statusOf(url, "api/auth/me/", here.session.access),
        statusOf(url, "api/auth/me/", there.session.access),
        refresh(url, there.session).then(({ status }) => status),
        statusOf(url, "api/v1/workspaces/", `svc_${"a".repeat(32)}`),
        statusOf(url, "api/integrations/auth/provider/status/", there.session.access),
        call(url, "readyz").then(({ status }) => status),
      ]);
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200, 401, 200, 200]);
    proxy.redirect(await freePort());
    proxy.cut();
    assert.deepEqual(await statuses(), [200, 503, 200, 503, 503, 503, 503, 200]);
    assert.equal((await signIn(url, { person: "Visitor" })).access !== "", true);
    proxy.redirect(port);
    assert.deepEqual(await statuses(), [200, 200, 200, 200, 200, 401, 200, 200]);
  },
);

test("OPS-13: an installation gets a second bucket, and no token or session ends", needsServer, async (t) => {
  const databases = await newDatabases(t, 3);
  const urls = databases.map((each) => each.url);
  // The public URL, which tokens of sessions name, stays.
  const port = await freePort();
  const before = await start(t, urls.slice(0, 1), port);
  const person = await arrive(before.url);
  const tokens: string[] = [];
  for (let made = 0; made < 6; made += 1)
    tokens.push((await createToken(before.url, person.session, `token ${made}`)).token);
  const sessions: SignedIn[] = [];
  for (let made = 0; made < 6; made += 1) sessions.push(await signIn(before.url));
  await before.stop();
  const { url } = await start(t, urls, port);
  for (const token of [...tokens, ...tokens])
    assert.equal(await statusOf(url, "api/v1/workspaces/", token), 200);
  for (const session of sessions) assert.equal((await refresh(url, session)).status, 200);
  assert.equal((await signIn(url)).access !== "", true);
  await arrive(url, "Visitor");
  assert.deepEqual(await peopleIn(databases), [1, 0, 1]);
});

test("OPS-13: databases that are swapped, missing or another's are refused", needsServer, async (t) => {
  const [one, two, other] = await newDatabases(t, 3);
  assert.ok(one !== undefined && two !== undefined && other !== undefined);
  const running = await start(t, [one.url, two.url]);
  await arrive(running.url);
  await arrive(running.url, "Visitor");
  await running.stop();
  const alone = await start(t, [other.url]);
  await arrive(alone.url);
  await alone.stop();
  const refused: readonly (readonly [readonly ScratchLocation[], RegExp])[] = [
    [[two, one], /is bucket 2 of an installation/],
    [[two], /is bucket 2 of an installation/],
    [[one], /People live in bucket 2/],
    [[one, other], /has people already/],
    [[other, two], /bucket of another installation/],
  ];
  for (const [list, reason] of refused)
    await assert.rejects(
      start(
        t,
        list.map(({ url }) => url),
      ),
      (error) => error instanceof DatabaseError && reason.test(error.message),
    );
  const again = await start(t, [one.url, two.url]);
  assert.equal((await call(again.url, "readyz")).status, 200);
});
