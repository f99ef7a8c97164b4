import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { pino } from "pino";
import { createSecrets } from "../secrets/secrets.ts";
import { listAudit } from "../store/queries/audit.ts";
import { connectionsOf, upsertConnection } from "../store/queries/connections.ts";
import { findJob } from "../store/queries/jobs.ts";
import { findUser, upsertUser } from "../store/queries/users.ts";
import { scratchDatabase } from "../store/testing/scratch.ts";
import { adoptFolders } from "./adopt-folders.ts";
import { openTokens, sealTokens } from "./grant.ts";

/** A database with accounts of the demo workspace, each with a connection to a workspace, and grants that share everything. */
async function setUp(t: Parameters<typeof scratchDatabase>[0], whole: readonly string[]) {
  const { database } = await scratchDatabase(t);
  const secrets = createSecrets(randomBytes(32), randomBytes);
  let now = 1_000;
  const logged: string[] = [];
  const person = (name: string, workspaceId = "vault", provider = "stand-in") =>
    database.transaction(async (trx) => {
      now += 1;
      const who = { newId: name, provider, providerUserId: `person ${name}`, email: `${name}@example.org` };
      const { id: userId } = await upsertUser(trx, { ...who, name, avatarUrl: null }, now);
      const owner = { userId, workspaceId };
      const tokens = sealTokens(secrets, owner, { accessToken: "of the demo", refreshToken: "too" });
      const grant = { ...owner, ...tokens, provider, name, icon: null, grantId: `grant of ${name}` };
      return upsertConnection(trx, grant, now);
    });
  let reads = 0;
  const adopt = () =>
    adoptFolders({
      database,
      secrets,
      clock: () => now,
      log: pino({ level: "info" }, { write: (line: string) => void logged.push(JSON.parse(line).msg) }),
      folders: async () => {
        reads += 1;
        return [{ slug: "hub", workspaceId: "vault", grant: "folder hub" }];
      },
      wholeGrants: async () => new Set(whole.map((name) => `grant of ${name}`)),
    });
  const connectionOf = async (userId: string) => (await connectionsOf(database.read, userId))[0];
  return { database, secrets, logged, person, adopt, connectionOf, reads: () => reads };
}

test("SRC-2: the account that had shared all of a folder in the demo workspace is its person's, with the same ids", async (t) => {
  const { database, secrets, person, adopt, connectionOf, reads } = await setUp(t, ["ann"]);
  const before = await person("ann");
  await adopt();
  const user = await findUser(database.read, "ann");
  assert.deepEqual([user?.provider, user?.providerUserId, user?.id], ["folder", "owner", "ann"]);
  const after = await connectionOf("ann");
  assert.deepEqual([after?.id, after?.workspaceId, after?.provider], [before.id, "vault", "hub"]);
  assert.deepEqual(await openTokens(database.read, secrets, before.id), {
    accessToken: "folder hub",
    refreshToken: null,
  });
  const job = await findJob(database.read, before.id);
  assert.equal(job?.extent, "full", "texts have other addresses of pages");
  const [line] = await listAudit(database.read, "ann", { limit: 1 });
  assert.deepEqual(
    [line?.event, line?.workspaceId, line?.reason],
    ["workspace_connected", "vault", "folder"],
  );
  await adopt();
  assert.equal((await listAudit(database.read, "ann", { limit: 9 })).length, 1, "it happens once");
  assert.equal(reads(), 1, "and nothing is read again");
});

test("SRC-2: of several accounts the oldest goes on, and a partial share is never widened", async (t) => {
  const { database, logged, person, adopt, connectionOf } = await setUp(t, ["ben", "cleo"]);
  for (const name of ["ann", "ben", "cleo"]) await person(name);
  await person("dora", "another workspace");
  await person("eve", "vault", "notion");
  await adopt();
  const states = await Promise.all(
    ["ann", "ben", "cleo", "dora", "eve"].map(async (name) => {
      const connection = await connectionOf(name);
      return [
        name,
        (await findUser(database.read, name))?.provider,
        connection?.provider,
        connection?.status,
      ];
    }),
  );
  assert.deepEqual(states, [
    ["ann", "stand-in", "stand-in", "needs_reauth"],
    ["ben", "folder", "hub", "active"],
    ["cleo", "stand-in", "stand-in", "needs_reauth"],
    ["dora", "stand-in", "stand-in", "active"],
    ["eve", "notion", "notion", "active"],
  ]);
  assert.match(logged.join(), /the oldest of several accounts/);
  assert.match(logged.join(), /had shared a part/);
});
