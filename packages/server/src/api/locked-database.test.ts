import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { manualWait } from "../store/testing/manual-wait.ts";
import { startProcess } from "../store/testing/processes.ts";
import { serveAccounts, wish } from "./testing/account-server.ts";

test("OPS-9, OPS-2: while a stopped process holds the write lock, /healthz and reads answer, and a write is 503", async (t) => {
  const { wait, advance } = manualWait();
  const server = await serveAccounts(t, { lockWait: wait });
  const user = await server.signIn("owner");
  const holder = await startProcess(t, "lock-process.ts", server.stage.database.path);
  holder.send("go");
  await once(holder, "message");
  holder.kill("SIGSTOP");

  let answered = false;
  const creation = user.create(wish).finally(() => {
    answered = true;
  });
  // The reads come after the write, and before it gave up.
  await advance(1_000);
  assert.equal((await server.health()).status, 200);
  assert.equal((await user.list()).status, 200);
  assert.equal(answered, false);
  await advance(10_000);
  const refused = await creation;
  assert.deepEqual([refused.status, refused.body.code], [503, "unavailable"]);

  holder.kill("SIGKILL");
  await once(holder, "exit");
  assert.equal((await user.create(wish)).status, 201);
});
