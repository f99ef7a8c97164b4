import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { test } from "node:test";
import type { Connection } from "../model/connection.ts";
import { statusOf } from "../model/service-token.ts";
import { actorOf } from "../model/testing/actor.ts";
import type { Database } from "../store/port.ts";
import { connectionsOf } from "../store/queries/connections.ts";
import { countUsableTokens, findServiceToken } from "../store/queries/service-tokens.ts";
import { openSession } from "../store/queries/sessions.ts";
import { runTogether, startProcess } from "../store/testing/processes.ts";
import { scratchDatabase, someConnection, someUser } from "../store/testing/scratch.ts";
import {
  createServiceToken,
  hashServiceToken,
  nameErrors,
  newServiceToken,
  prefixOf,
  revokeServiceToken,
  rotateServiceToken,
  trimName,
} from "./service-tokens.ts";

test("TOK-6: several instances that create at the same time stay within ten tokens", async (t) => {
  const { database, url } = await scratchDatabase(t);
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
  const instances = await Promise.all([1, 2, 3].map(() => startProcess(t, script, url, userId, session.id)));
  assert.deepEqual(await runTogether(instances), [0, 0, 0]);
  assert.equal(await countUsableTokens(database.read, userId, Date.now()), 10);
});

test("TOK-8: a revocation holds at an instance whose clock is behind", async (t) => {
  const { database } = await scratchDatabase(t);
  const userId = await someUser(database);
  const { workspaceId } = await workspaceOf(database, userId);
  const at = (now: number) => ({ database, clock: () => now, random: randomBytes });
  const session = { id: "a session", userId, userAgent: null, createdAt: 0, refreshExpiresAt: 600_000 };
  await database.transaction((trx) => openSession(trx, session));
  const actor = actorOf({ userId, sessionId: session.id });
  const body = { name: "t", scopes: ["graph:read" as const], workspace_ids: [workspaceId] };
  const create = async () => (await createServiceToken(at(1000), actor, { body, shapeErrors: [] })).token;
  const [revoked, rotated, overlapping] = [await create(), await create(), await create()];
  await revokeServiceToken(at(2000), actor, String(revoked.id));
  await rotateServiceToken(at(2000), actor, { id: String(rotated.id), overlapHours: 0 });
  await rotateServiceToken(at(2000), actor, { id: String(overlapping.id), overlapHours: 1 });
  const statusAt = async ({ id }: { id: number }, now: number) => {
    const token = await findServiceToken(database.read, userId, id);
    return token && statusOf(token, now);
  };
  assert.equal(await statusAt(revoked, 1990), "revoked");
  assert.equal(await statusAt(rotated, 1990), "revoked");
  assert.equal(await statusAt(overlapping, 1990), "active");
  assert.equal(await statusAt(overlapping, 2000 + 3_600_000), "revoked");
  assert.equal(await countUsableTokens(database.read, userId, 1990), 3);
  await revokeServiceToken(at(3000), actor, String(overlapping.id));
  assert.equal(await statusAt(overlapping, 1990), "revoked");
});

/** The workspace of a new connection. */
async function workspaceOf(database: Database, userId: string): Promise<Connection> {
  await someConnection(database, userId);
  const [connection] = await connectionsOf(database.read, userId);
  assert.ok(connection);
  return connection;
}

const messages = (name: string) => nameErrors(name).map(({ message }) => message);

test("TOK-3: a name has 1 to 100 characters after trimming", () => {
  assert.deepEqual(nameErrors("x"), []);
  assert.deepEqual(nameErrors("x".repeat(100)), []);
  assert.deepEqual(nameErrors(`  ${"x".repeat(100)}\n`), []);
  assert.deepEqual(nameErrors("x".repeat(101)), [
    { path: "/name", message: "must have up to 100 characters" },
  ]);
  for (const blank of ["", " ", "\t\n ", "\u00a0\u3000\ufeff"])
    assert.deepEqual(messages(blank), ["must not be blank"]);
});

test("TOK-3: the characters of a name are code points, not UTF-16 units", () => {
  assert.deepEqual(nameErrors("🧶".repeat(100)), []);
  assert.deepEqual(messages("🧶".repeat(101)), ["must have up to 100 characters"]);
});

test("TOK-3: a name may be in any script, without invisible characters and lone surrogates", () => {
  for (const name of ["Fil d'Ariane", "アリアドネの糸", "خيط", "👩‍👩‍👧 family", "می‌خواهم"])
    assert.deepEqual(nameErrors(name), []);
  const message = "must consist of visible characters, without";
  for (const [name, character] of [
    ["a\0b", "U+0000"],
    ["a\nb", "U+000A"],
    ["a\u007fb", "U+007F"],
    ["a\u0085b", "U+0085"],
    ["a\u001b[31mb", "U+001B"],
    ["gnp.\u202eexe", "U+202E"],
    ["a\u200bb", "U+200B"],
    ["\u2066a\u2069", "U+2066, U+2069"],
  ] as const) {
    assert.deepEqual(messages(name), [`${message} ${character}`], JSON.stringify(name));
  }
  for (const name of ["\u200b\u2060", "\u3164", "\u200d"])
    assert.equal(messages(name)[0], "must not be blank", JSON.stringify(name));
  for (const name of ["a\ud800", "\udc00b"])
    assert.deepEqual(messages(name), ["must not contain unpaired surrogates"]);
});

test("TOK-5: a name's errors are listed together", () => {
  assert.equal(nameErrors(`${"x".repeat(100)}\0\ud800`).length, 3);
});

test("TOK-3: white space around a name is not part of it", () => {
  assert.equal(trimName(" \tnightly export \n"), "nightly export");
});

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

/** Returns every byte value in turn, which shows exactly how bytes become characters. */
function everyByteInTurn() {
  let next = 0;
  return (size: number) => Uint8Array.from({ length: size }, () => next++ % 256);
}

test("TOK-2: a raw token is svc_ and 32 characters of A–Z a–z 0–9", () => {
  for (let i = 0; i < 200; i++) assert.match(newServiceToken(randomBytes), /^svc_[A-Za-z0-9]{32}$/);
});

test("TOK-2: every character of a token is equally likely", () => {
  const random = everyByteInTurn();
  const counts = new Map<string, number>();
  // 248 of 256 byte values are used, 4 to a character: in 31 tokens, 992 characters, each stands 16 times.
  for (let i = 0; i < 31; i++) {
    for (const character of newServiceToken(random).slice(4)) {
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
  }
  assert.deepEqual([...counts.keys()].toSorted(), [...alphabet].toSorted());
  assert.ok(
    [...counts.values()].every((count) => count >= 14 && count <= 18),
    [...counts].join(" "),
  );
});

test("TOK-2: random bytes that would bias the characters are redrawn", () => {
  const draws = [new Uint8Array(32).fill(255), new Uint8Array(32).fill(248), new Uint8Array(32).fill(247)];
  const raw = newServiceToken(() => draws.shift() ?? assert.fail("too many draws"));
  assert.equal(raw, `svc_${"9".repeat(32)}`);
});

test("TOK-2: every token is unique", () => {
  const tokens = Array.from({ length: 1000 }, () => newServiceToken(randomBytes));
  assert.equal(new Set(tokens).size, tokens.length);
});

test("TOK-2: the prefix is the first 12 characters, the hash is SHA-256", () => {
  const raw = `svc_${"Ab3".repeat(11).slice(0, 32)}`;
  assert.equal(prefixOf(raw), "svc_Ab3Ab3Ab");
  assert.deepEqual(hashServiceToken(raw), createHash("sha256").update(raw).digest());
});
