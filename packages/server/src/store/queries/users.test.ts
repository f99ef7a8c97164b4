import assert from "node:assert/strict";
import { test } from "node:test";
import { page, scratchDatabase, someConnection, someToken } from "../testing/scratch.ts";
import { listConnections } from "./connection-list.ts";
import { upsertNodes } from "./graph-pages.ts";
import { removeConnection } from "./removed-connections.ts";
import { endSession, openSession } from "./sessions.ts";
import { findUser, listUsers, upsertUser } from "./users.ts";

const person = {
  newId: "user-1",
  provider: "notion",
  providerUserId: "p-1",
  name: "First",
  email: "first@example.org",
  avatarUrl: "https://example.org/1.png",
};

test("SIGN-5: the first sign-in creates the user", async (t) => {
  const { database } = await scratchDatabase(t);
  const user = await database.transaction((trx) => upsertUser(trx, person, 1000));
  assert.deepEqual(user, {
    id: "user-1",
    provider: "notion",
    providerUserId: "p-1",
    name: "First",
    email: "first@example.org",
    avatarUrl: "https://example.org/1.png",
    createdAt: 1000,
    lastSignInAt: 1000,
  });
  assert.deepEqual(await findUser(database.read, "user-1"), user);
});

test("SIGN-5: signing in again updates name, e-mail, avatar and last sign-in of the same user", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction((trx) => upsertUser(trx, person, 1000));
  const again = { ...person, newId: "user-2", name: "Second", email: null, avatarUrl: null };
  const user = await database.transaction((trx) => upsertUser(trx, again, 2000));
  assert.deepEqual(user, {
    id: "user-1",
    provider: "notion",
    providerUserId: "p-1",
    name: "Second",
    email: null,
    avatarUrl: null,
    createdAt: 1000,
    lastSignInAt: 2000,
  });
  assert.equal(await findUser(database.read, "user-2"), null);
});

test("SIGN-5: the same id at another provider is another user", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction((trx) => upsertUser(trx, person, 1000));
  const other = { ...person, newId: "user-2", provider: "stand-in" };
  const user = await database.transaction((trx) => upsertUser(trx, other, 1000));
  assert.equal(user.id, "user-2");
});

test("text of every script survives; half a surrogate pair becomes U+FFFD", async (t) => {
  const { database } = await scratchDatabase(t);
  const name = "Ariadne 阿里阿德涅 อารีแอดนี 🧶 \u0000 e\u0301";
  const whole = await database.transaction((trx) => upsertUser(trx, { ...person, name }, 1));
  assert.equal(whole.name, name);
  const half = await database.transaction((trx) => upsertUser(trx, { ...person, name: "a\ud83eb" }, 1));
  assert.equal(half.name, "a\ufffdb");
});

test("OPS-7: the sizes of people and of their connections leave removed connections out", async (t) => {
  const { database } = await scratchDatabase(t);
  await database.transaction((trx) => upsertUser(trx, person, 1));
  const [gone, one, other] = [
    await someConnection(database, "user-1"),
    await someConnection(database, "user-1"),
    await someConnection(database, "user-1"),
  ];
  await database.transaction(async (trx) => {
    for (const id of [gone, one, other]) await upsertNodes(trx, id, [page(1), page(2)]);
    await removeConnection(trx, gone, 2);
  });
  const connections = await listConnections(database.read);
  assert.deepEqual(
    connections.map(({ connection, owner, pages, dueAt }) => [connection.id, owner.email, pages, dueAt]),
    [one, other].map((id) => [id, person.email, 2, null]),
  );
  const [user] = await listUsers(database.read, 1);
  const bytes = connections.reduce((sum, { storedBytes }) => sum + storedBytes, 0);
  assert.ok(bytes > 0);
  assert.deepEqual([user?.pages, user?.storedBytes], [4, bytes]);
});

test("OPS-7: people are listed by their last sign-in, the latest first, with what of theirs still works", async (t) => {
  const { database } = await scratchDatabase(t);
  const now = 100;
  await database.transaction(async (trx) => {
    for (const [id, at] of [
      ["user-1", 1],
      ["user-3", 3],
      ["user-4", 2],
      ["user-2", 2],
    ] as const)
      await upsertUser(trx, { ...person, newId: id, providerUserId: id }, at);
    const session = { userId: "user-3", userAgent: null, createdAt: 1, refreshExpiresAt: now + 1 };
    for (const id of ["one", "another", "ended"]) await openSession(trx, { ...session, id });
    await openSession(trx, { ...session, id: "expired", refreshExpiresAt: now });
    await endSession(trx, "ended", 50);
  });
  for (const expiresAt of [null, now]) await someToken(database, "user-3", { expiresAt });
  const listed = await listUsers(database.read, now);
  assert.deepEqual(
    listed.map(({ user, ...has }) => [user.id, has]),
    [
      ["user-3", { sessions: 2, tokens: 1, pages: 0, storedBytes: 0 }],
      ["user-2", { sessions: 0, tokens: 0, pages: 0, storedBytes: 0 }],
      ["user-4", { sessions: 0, tokens: 0, pages: 0, storedBytes: 0 }],
      ["user-1", { sessions: 0, tokens: 0, pages: 0, storedBytes: 0 }],
    ],
  );
});
