import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { somewhere } from "../../model/testing/actor.ts";
import { createSecrets } from "../../secrets/secrets.ts";
import { findJob, putJob } from "../../store/queries/jobs.ts";
import { scratchDatabase } from "../../store/testing/scratch.ts";
import { createAuthFixture } from "../testing/auth-fixture.ts";
import { addToAccount, openAccount } from "./account.ts";

const grant = {
  accessToken: "access",
  refreshToken: null,
  id: "grant",
  workspace: { id: "w1", name: null, icon: null },
  person: { id: "p1", name: null, email: null, avatarUrl: null },
};

test("SIGN-3, OPS-6: a sign-in is stored with its sync; consent given again during it requests another sync", async (t) => {
  const { database } = await scratchDatabase(t);
  const source = { slug: "some", people: "some" };
  const sessions = { open: async () => ({ sessionId: "s", access: "a", refresh: "r", expiresIn: 1 }) };
  const secrets = createSecrets(randomBytes(32), randomBytes);
  const services = {
    database,
    secrets,
    sessions,
    clock: () => 1000,
    random: randomBytes,
  };
  const { connection } = await openAccount(services, { source, grant }, somewhere);
  const job = await findJob(database.read, connection.id);
  assert.ok(job);
  await database.transaction((trx) => putJob(trx, { ...job, worker: "worker", leasedUntil: 9000 }));

  // The provider may issue the same token for other pages.
  await openAccount(services, { source, grant }, somewhere);
  const underWay = await findJob(database.read, connection.id);
  assert.equal(underWay?.worker, "worker");
  assert.equal(underWay?.followUp?.priority, 0);
});

test("SIGN-5, SRC-1: a connection to a folder follows it to another name, and to no other source", async (t) => {
  const { database } = await scratchDatabase(t);
  const services = {
    database,
    secrets: createSecrets(randomBytes(32), randomBytes),
    sessions: { open: async () => ({ sessionId: "s", access: "a", refresh: "r", expiresIn: 1 }) },
    clock: () => 1000,
    random: randomBytes,
  };
  const add = async (slug: string, workspaceId: string) => {
    const granted = { ...grant, workspace: { ...grant.workspace, id: workspaceId } };
    const source = { slug, people: "here" };
    return (await openAccount(services, { source, grant: granted }, somewhere)).connection.provider;
  };
  assert.equal(await add("notion", "one"), "notion");
  assert.equal(await add("notes", "two"), "notes");
  const refused = { name: "SignInFailure", code: "exchange_failed" };
  await assert.rejects(add("notes-2", "one"), refused);
  await assert.rejects(add("notion", "two"), refused);
  assert.equal(await add("notes-2", "two"), "notes-2");
  assert.equal(await add("notes", "two"), "notes", "two folders may swap their names");
});

test("SIGN-5, SIGN-10: a grant that is not by the account's own person keeps the address of who gave it", async (t) => {
  const fixture = await createAuthFixture(t);
  const user = await fixture.signUp("owner");
  const { sessionId } = await fixture.signIn(user.id);
  const services = { ...fixture, random: randomBytes };
  const add = async (people: string, personId: string) => {
    const source = { slug: people, people };
    const person = { ...grant.person, id: personId, email: "giver@example.com" };
    const workspace = { ...grant.workspace, id: `${people} of ${personId}` };
    const granted = { source, grant: { ...grant, workspace, person } };
    return addToAccount(services, granted, { userId: user.id, sessionId, ...somewhere });
  };
  const { provider, providerUserId } = user;
  assert.equal((await add(provider, providerUserId)).grantedEmail, null);
  assert.equal((await add(provider, "another")).grantedEmail, "giver@example.com");
  assert.equal((await add("some", providerUserId)).grantedEmail, "giver@example.com");
});
