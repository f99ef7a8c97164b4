import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../port.ts";
import { runTogether, startProcess } from "../testing/processes.ts";
import { scratchDatabase, someHash, someToken, someUser } from "../testing/scratch.ts";
import { setMark } from "./moving.ts";
import {
  countUsableTokens,
  findServiceToken,
  listServiceTokens,
  recordTokenUse,
  serviceTokensById,
  setTokenRevoked,
  setTokenRevokedAfterOverlap,
  storedTokens,
  type TokenListing,
  usableTokens,
} from "./service-tokens.ts";

const day = 86_400_000;

const revoke = (database: Database, id: number, at: number) =>
  database.transaction((trx) => setTokenRevoked(trx, id, at));

const listed = async (database: Database, userId: string, listing: Partial<TokenListing> = {}) => {
  const tokens = await listServiceTokens(database.read, userId, { now: 1000, limit: 100, ...listing });
  return tokens.map(({ id }) => id);
};

test("TOK-2: a token is found by its hash, which is all that is stored of it", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const hash = someHash();
  const token = await someToken(database, userId, { hash, expiresInDays: 30, expiresAt: 1000 + 30 * day });
  assert.deepEqual(token, {
    id: token.id,
    userId,
    name: "Agent",
    prefix: "svc_abcdefgh",
    scopes: ["graph:search", "graph:read"],
    workspaceIds: ["b", "a"],
    createdAt: 1000,
    expiresInDays: 30,
    expiresAt: 1000 + 30 * day,
    revokedAt: null,
    inOverlap: false,
    lastUsedAt: null,
    createdByBrowser: null,
    client: null,
  });
  assert.deepEqual(await findServiceToken(database.read, userId, token.id), token);
});

test("TOK-2: two tokens cannot have one hash", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const hash = someHash();
  await someToken(database, userId, { hash });
  await assert.rejects(someToken(database, userId, { hash }), /unique constraint/i);
});

test("TOK-6: the user's tokens that are neither revoked nor expired are usable", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const { id } = await someToken(database, userId);
  await someToken(database, userId, { expiresAt: 2000 });
  await someToken(database, await someUser(database));
  assert.equal(await countUsableTokens(database.read, userId, 1999), 2);
  assert.equal(await countUsableTokens(database.read, userId, 2000), 1);
  await revoke(database, id, 1500);
  assert.equal(await countUsableTokens(database.read, userId, 1999), 1);
});

test("APP-4: a user's usable tokens are listed newest first, and those of others are not", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const { id: older } = await someToken(database, userId, { name: "Older" });
  await someToken(database, await someUser(database));
  const { id: newer } = await someToken(database, userId, { name: "Newer" });
  await someToken(database, userId, { expiresAt: 1500 });
  const found = await usableTokens(database.read, userId, 1500);
  assert.deepEqual(
    found.map(({ id, name }) => [id, name]),
    [
      [newer, "Newer"],
      [older, "Older"],
    ],
  );
});

test("TOK-6: two processes that count and insert at the same time make exactly ten tokens", async (t) => {
  const { database, url } = await scratchDatabase(t);
  const userId = await someUser(database);
  const children = await Promise.all([
    startProcess(t, "token-process.ts", url, userId),
    startProcess(t, "token-process.ts", url, userId),
  ]);
  assert.deepEqual(await runTogether(children), [0, 0]);
  assert.equal((await listed(database, userId)).length, 10);
  assert.equal(await countUsableTokens(database.read, userId, 1), 10);
});

test("TOK-7: the newest token comes first, and pages follow one another", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const ids: number[] = [];
  for (let count = 0; count < 5; count += 1) ids.unshift((await someToken(database, userId)).id);
  await someToken(database, await someUser(database));
  assert.deepEqual(await listed(database, userId), ids);
  assert.deepEqual(await listed(database, userId, { limit: 2 }), ids.slice(0, 2));
  assert.deepEqual(await listed(database, userId, { limit: 2, beforeId: ids[1] }), ids.slice(2, 4));
});

test("TOK-7: revoked and expired tokens stay listed for 90 days", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const usable = await someToken(database, userId);
  const expired = await someToken(database, userId, { expiresAt: 2000 });
  const revoked = await someToken(database, userId, { expiresAt: 1000 * day });
  await revoke(database, revoked.id, 3000);
  const all = [revoked.id, expired.id, usable.id];
  assert.deepEqual(await listed(database, userId, { now: 1999 + 90 * day }), all);
  assert.deepEqual(await listed(database, userId, { now: 2000 + 90 * day }), [revoked.id, usable.id]);
  assert.deepEqual(await listed(database, userId, { now: 3000 + 90 * day }), [usable.id]);
});

test("TOK-7: is_active filters both ways", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const usable = await someToken(database, userId, { expiresAt: 2001 });
  const expired = await someToken(database, userId, { expiresAt: 2000 });
  const revoked = await someToken(database, userId);
  await revoke(database, revoked.id, 1500);
  assert.deepEqual(await listed(database, userId, { now: 2000, isActive: true }), [usable.id]);
  assert.deepEqual(await listed(database, userId, { now: 2000, isActive: false }), [revoked.id, expired.id]);
});

test("TOK-9: a token that is revoked as of later is usable until then", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const { id } = await someToken(database, userId);
  await database.transaction((trx) => setTokenRevokedAfterOverlap(trx, id, 2000));
  assert.equal(await countUsableTokens(database.read, userId, 1999), 1);
  assert.deepEqual(await listed(database, userId, { now: 1999, isActive: true }), [id]);
  assert.equal(await countUsableTokens(database.read, userId, 2000), 0);
  assert.deepEqual(await listed(database, userId, { now: 2000, isActive: false }), [id]);
});

test("TOK-8: a token belongs to one user and has one id", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const token = await someToken(database, userId);
  const other = await someUser(database);
  assert.deepEqual(await findServiceToken(database.read, userId, token.id), token);
  assert.equal(await findServiceToken(database.read, other, token.id), null);
  assert.equal(await findServiceToken(database.read, userId, token.id + 1), null);
});

test("TOK-8: an id is never used again, not even after its token is deleted", async (t) => {
  const { database } = await scratchDatabase(t);
  const gone = await someUser(database);
  const { id } = await someToken(database, gone);
  await database.transaction((trx) => trx.deleteFrom("users").where("id", "=", gone).execute());
  assert.ok((await someToken(database, await someUser(database))).id > id);
});

test("TOK-10: the time of last use is written for many tokens at once and never moves backwards", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const one = await someToken(database, userId);
  const other = await someToken(database, userId);
  const record = (...uses: [number, number][]) =>
    database.transaction((trx) => recordTokenUse(trx, new Map(uses)));
  await record([one.id, 5000], [other.id, 6000], [other.id + 1, 7000]);
  await record([one.id, 4000], [other.id, 6500]);
  const tokens = await listServiceTokens(database.read, userId, { now: 1000, limit: 10 });
  assert.deepEqual(
    tokens.map(({ lastUsedAt }) => lastUsedAt),
    [6500, 5000],
  );
});

test("OPS-13: tokens are found by their ids in any state, unless their owners are being moved", async (t) => {
  const { database } = await scratchDatabase(t);
  const [settled, moved] = [await someUser(database), await someUser(database)];
  const wanted = await someToken(database, settled);
  await someToken(database, settled);
  const revoked = await someToken(database, settled);
  await revoke(database, revoked.id, 1500);
  const moving = await someToken(database, moved);
  await database.transaction((trx) => setMark(trx, moved, { from: null, to: 2 }));
  const ids = [wanted.id, revoked.id, moving.id, moving.id + 1];
  const found = await serviceTokensById(database.read, new Set(ids));
  assert.deepEqual(new Set(found.keys()), new Set([wanted.id, revoked.id]));
  assert.deepEqual(found.get(wanted.id), wanted);
  const stored = await storedTokens(database.read, ids);
  assert.deepEqual(new Set(stored), new Set([wanted.id, revoked.id, moving.id]));
  const record = (id: number) => database.record((trx) => recordTokenUse(trx, new Map([[id, 2000]])));
  assert.deepEqual([await record(wanted.id), await record(moving.id)], [[wanted.id], []]);
});
