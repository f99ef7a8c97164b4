import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { somewhere } from "../../model/testing/actor.ts";
import { everybody } from "../../model/testing/allow-lists.ts";
import { createSecrets } from "../../secrets/secrets.ts";
import { findJob, putJob } from "../../store/queries/jobs.ts";
import { scratchDatabase } from "../../store/testing/scratch.ts";
import { openAccount } from "./account.ts";

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
    config: { allowed: everybody },
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
