import assert from "node:assert/strict";
import { once } from "node:events";
import { copyFile, rename, truncate } from "node:fs/promises";
import { test } from "node:test";
import { verifyKey } from "../secrets/open-secrets.ts";
import { needsFile, pathOf } from "../store/testing/location.ts";
import { manualWait } from "../store/testing/manual-wait.ts";
import { startProcess } from "../store/testing/processes.ts";
import { serveAccounts, validBody } from "./testing/account-server.ts";

test("OPS-9, OPS-2: while a stopped process holds the write lock, /healthz and reads answer, and a write is 503", {
  skip: needsFile,
}, async (t) => {
  const { wait, advance, begun, until } = manualWait();
  const server = await serveAccounts(t, { lockWait: wait });
  const user = await server.signIn("owner");
  const lockProcess = await startProcess(t, "lock-process.ts", pathOf(server.fixture.database.location));
  lockProcess.send("go");
  await once(lockProcess, "message");
  lockProcess.kill("SIGSTOP");

  let answered = false;
  const creation = user.create(validBody).finally(() => {
    answered = true;
  });
  // The reads are served after the write began, and before it times out.
  await begun();
  await advance(1_000);
  assert.equal(await server.health("healthz"), 200);
  assert.equal((await user.list()).status, 200);
  assert.equal(answered, false);
  const refused = await until(creation);
  assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"]);

  lockProcess.kill("SIGKILL");
  await once(lockProcess, "exit");
  // The lock may be gone a moment after its process.
  assert.equal((await until(user.create(validBody))).status, 201);
});

test("OPS-2: /readyz is 503 while writes fail, rarely checks the disk, and is 200 again afterwards", {
  skip: needsFile,
}, async (t) => {
  const { wait, advance, until } = manualWait();
  const server = await serveAccounts(t, { lockWait: wait });
  // The readiness check rewrites the key check.
  await verifyKey(server.fixture.database, server.fixture.secrets);
  assert.equal(await server.health("readyz"), 200);
  const lockProcess = await startProcess(t, "lock-process.ts", pathOf(server.fixture.database.location));
  lockProcess.send("go");
  await once(lockProcess, "message");
  assert.equal(await server.health("readyz"), 200, "the last write is recent");
  await advance(6_000);
  assert.equal(await until(server.health("readyz")), 503);
  assert.equal(await server.health("readyz"), 503, "the previous check is still used");
  assert.equal(await server.health("healthz"), 200);

  lockProcess.kill("SIGKILL");
  await once(lockProcess, "exit");
  await advance(10_000);
  assert.equal(await until(server.health("readyz")), 200);
});

/** Ways to lose a file while Clew has it open. What was there is then beside it. */
const losses: readonly (readonly [name: string, lose: (file: string) => Promise<unknown>])[] = [
  ["moved away", (file) => rename(file, `${file}.away`)],
  ["replaced by a copy", (file) => rename(file, `${file}.away`).then(() => copyFile(`${file}.away`, file))],
];

for (const suffix of ["", "-wal"])
  for (const [name, lose] of losses) {
    test(`OPS-2, OPS-9, ERR-4: nothing is acknowledged and nobody let in without a file of the database: ${name}, clew.db${suffix}`, {
      skip: needsFile,
    }, async (t) => {
      const server = await serveAccounts(t);
      await verifyKey(server.fixture.database, server.fixture.secrets);
      const user = await server.signIn("owner");
      const { body: token } = await user.create(validBody);
      const file = pathOf(server.fixture.database.location) + suffix;
      await lose(file);
      const named = () => server.logged.filter((line) => line.includes(`${file} was`)).length;
      assert.equal(await server.health("readyz"), 503);
      assert.equal(named(), 1, "the log says why");
      assert.equal(await server.health("healthz"), 200);
      for (const answer of [await user.create(validBody), await user.revoke(token.id), await user.list()])
        assert.deepEqual([answer.status, answer.body.code], [503, "unavailable"]);
      assert.ok(!JSON.stringify(await user.list()).includes(file), "the answer says nothing of the inside");
      assert.equal(named(), 5);
      // OPS-9: goes on without a restart.
      await rename(`${file}.away`, file);
      assert.equal(await server.health("readyz"), 200);
      assert.equal((await user.revoke(token.id)).status, 204);
    });
  }

test("OPS-2: /readyz is 503 once the database file is cut under a running instance", {
  skip: needsFile,
}, async (t) => {
  const server = await serveAccounts(t);
  await verifyKey(server.fixture.database, server.fixture.secrets);
  const { database } = server.fixture;
  await server.signIn("owner");
  await database.upkeep?.eraseRemains();
  assert.equal(await server.health("readyz"), 200);
  await truncate(pathOf(database.location), 12 * 1024);
  assert.equal(await server.health("readyz"), 503);
});
