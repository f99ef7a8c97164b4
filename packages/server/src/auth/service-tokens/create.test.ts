import assert from "node:assert/strict";
import { test } from "node:test";
import { countUsableTokens } from "../../store/queries/service-tokens.ts";
import { openSession } from "../../store/queries/sessions.ts";
import { runTogether, startProcess } from "../../store/testing/processes.ts";
import { scratchDatabase, someConnection, someUser } from "../../store/testing/scratch.ts";

test("TOK-6: several instances that create at the same time make ten tokens together", async (t) => {
  const { database, path } = await scratchDatabase(t);
  const userId = await someUser(database);
  await someConnection(database, userId);
  const session = {
    id: "a session",
    userId,
    userAgent: null,
    createdAt: 0,
    refreshExpiresAt: Date.now() + 600_000,
  };
  await database.transaction((trx) => openSession(trx, session));
  const script = new URL("testing/create-process.ts", import.meta.url).href;
  const instances = await Promise.all([1, 2, 3].map(() => startProcess(t, script, path, userId, session.id)));
  assert.deepEqual(await runTogether(instances), [0, 0, 0]);
  assert.equal(await countUsableTokens(database.read, userId, Date.now()), 10);
});
