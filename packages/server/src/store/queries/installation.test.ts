import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase } from "../testing/scratch.ts";
import { readInstallation, writeInstallation } from "./installation.ts";

test("an installation has one set of facts", async (t) => {
  const { database } = await scratchDatabase(t);
  assert.equal(await readInstallation(database.read), null);
  for (const sealedKeyCheck of [Buffer.of(1, 2), Buffer.of(3)]) {
    await database.transaction((trx) => writeInstallation(trx, { sealedKeyCheck, nextKeyCheck: null }));
    assert.deepEqual(await readInstallation(database.read), { sealedKeyCheck, nextKeyCheck: null });
  }
});
