import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { sql } from "kysely";
import { openDatabase } from "../database.ts";
import { endSession, findSession, openSession } from "../queries/sessions.ts";
import { scratchFolder, someUser } from "../testing/scratch.ts";
import { createDiskReserve, reservePath } from "./disk.ts";

const mebibyte = 2 ** 20;

test("OPS-9: two processes over one database hold one reserve, which they may create at the same time", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const reserves = [1, 2, 3].map(() =>
    createDiskReserve({ path, random: randomBytes, freeBytes: async () => 1_000 * mebibyte }),
  );
  await Promise.all(reserves.map(({ check }) => check()));
  assert.equal((await stat(reservePath(path))).size, 8 * mebibyte);
  assert.equal(existsSync(`${reservePath(path)}.unfinished`), false);
});

test("OPS-9: the reserve is held while there is room, and released when the disk is full", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  let free = 1_000 * mebibyte;
  const reserve = createDiskReserve({ path, random: randomBytes, freeBytes: async () => free });
  const hasRoom = () => reserve.room().freeBytes >= reserve.room().neededBytes;
  await reserve.check();
  assert.equal((await stat(reservePath(path))).size, 8 * mebibyte);
  assert.equal((await stat(reservePath(path))).mode & 0o777, 0o600);
  assert.equal(hasRoom(), true);

  free = 63 * mebibyte;
  await reserve.check();
  assert.deepEqual([hasRoom(), existsSync(reservePath(path))], [false, true], "syncs stop first");
  free = mebibyte;
  await reserve.check();
  assert.deepEqual([hasRoom(), existsSync(reservePath(path))], [false, false]);
  free = 66 * mebibyte;
  await reserve.check();
  assert.deepEqual(
    [hasRoom(), existsSync(reservePath(path))],
    [true, false],
    "holding it again would take the room",
  );
  free = 80 * mebibyte;
  await reserve.check();
  assert.equal(existsSync(reservePath(path)), true);
});

test("OPS-9: a write for which the disk is full releases the reserve, and a session can still be ended", async (t) => {
  const path = join(await scratchFolder(t), "clew.sqlite");
  const reserve = createDiskReserve({ path, random: randomBytes, freeBytes: async () => 1_000 * mebibyte });
  await reserve.check();
  const database = await openDatabase({ location: { kind: "sqlite", path } });
  t.after(() => database.close());
  const userId = await someUser(database);
  const session = { userId, userAgent: null, createdAt: 1, refreshExpiresAt: 2 };
  await database.transaction((trx) => openSession(trx, { id: "session", ...session }));
  // From now on SQLite says that the disk is full where it needs another page.
  await database.transaction(async (trx) => {
    await sql`pragma max_page_count = 1`.execute(trx);
  });
  const fill = database.transaction(async (trx) => {
    for (let number = 0; number < 1_000; number += 1)
      await openSession(trx, { id: `${number}`.padStart(1_000, "x"), ...session });
  });
  await assert.rejects(fill, { code: "SQLITE_FULL" });
  assert.equal(existsSync(reservePath(path)), false);
  await database.transaction((trx) => endSession(trx, "session", 5));
  assert.equal((await findSession(database.read, "session"))?.endedAt, 5);
});
