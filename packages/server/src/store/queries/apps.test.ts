import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "../port.ts";
import { scratchDatabase, someHash, someToken, someUser } from "../testing/scratch.ts";
import {
  countLiveCodes,
  deleteAppRequest,
  findAppRequest,
  insertAppCode,
  insertAppRequest,
  ownerOfAppCode,
  removeWorkspaceFromCodes,
  takeAppCode,
} from "./apps.ts";
import { setMark } from "./moving.ts";
import { openSession } from "./sessions.ts";

const hashOf = (name: number) => new Uint8Array(32).fill(name);

/** Stores a code that a person approved in a session of its own. */
function insert(
  database: Database,
  userId: string,
  name: number,
  { workspaceIds = ["left"], expiresAt = 50 }: { workspaceIds?: readonly string[]; expiresAt?: number } = {},
): Promise<void> {
  return database.transaction(async (trx) => {
    const sessionId = `session ${name}`;
    await openSession(trx, { id: sessionId, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 100 });
    const code = {
      codeHash: hashOf(name),
      userId,
      sessionId,
      clientId: "client",
      clientName: "Reader",
      redirectUri: "https://reader.example/callback",
      challenge: "challenge",
      resource: "mcp",
      scopes: ["graph:read"],
      workspaceIds,
      expiresInDays: 30,
      createdByBrowser: null,
      expiresAt,
    } as const;
    await insertAppCode(trx, code, 1);
  });
}

/** Stores the token that a code gave. */
const insertToken = (database: Database, userId: string, codeHash: Uint8Array) =>
  someToken(database, userId, {
    client: {
      name: "Reader",
      redirectUri: "https://reader.example/callback",
      resource: "mcp",
      idHash: someHash(),
      codeHash,
    },
  });

test("GRAPH-15: a disconnected workspace leaves the codes of its user, and one without another ends", async (t) => {
  const { database } = await scratchDatabase(t);
  const [ann, ben] = [await someUser(database), await someUser(database)];
  await insert(database, ann, 1, { workspaceIds: ["left", "gone"] });
  await insert(database, ann, 2, { workspaceIds: ["gone"] });
  await insert(database, ann, 3);
  await insert(database, ben, 4, { workspaceIds: ["gone"] });
  await database.transaction((trx) => removeWorkspaceFromCodes(trx, ann, "gone"));
  const take = (name: number) => database.transaction((trx) => takeAppCode(trx, hashOf(name)));
  const workspaces = [];
  for (const name of [1, 2, 3, 4]) workspaces.push((await take(name))?.workspaceIds ?? null);
  assert.deepEqual(workspaces, [["left"], null, ["left"], ["gone"]]);
});

test("TOK-6: a code holds a place among the tokens of its user until it expires or is used", async (t) => {
  const { database } = await scratchDatabase(t);
  const [ann, ben] = [await someUser(database), await someUser(database)];
  await insert(database, ann, 1, { expiresAt: 50 });
  await insert(database, ann, 2, { expiresAt: 60 });
  await insert(database, ben, 3, { expiresAt: 70 });
  const places = (now: number) =>
    Promise.all([ann, ben].map((userId) => countLiveCodes(database.read, userId, now)));
  assert.deepEqual(
    [await places(49), await places(50), await places(60), await places(70)],
    [
      [2, 1],
      [1, 1],
      [0, 1],
      [0, 0],
    ],
  );
  await database.transaction((trx) => takeAppCode(trx, hashOf(2)));
  assert.deepEqual(await places(49), [1, 1]);
});

test("OPS-13: a code, and the token that it gave, is of a person who is being moved or not", async (t) => {
  const { database } = await scratchDatabase(t);
  const [moving, settled] = [await someUser(database), await someUser(database)];
  await insert(database, moving, 1);
  await insert(database, settled, 2);
  await insertToken(database, moving, hashOf(3));
  await insertToken(database, settled, hashOf(4));
  const owners = () =>
    Promise.all([1, 2, 3, 4, 5].map((name) => ownerOfAppCode(database.read, hashOf(name))));
  const [yes, no] = [{ isMoving: true }, { isMoving: false }];
  assert.deepEqual(await owners(), [no, no, no, no, null]);
  await database.transaction((trx) => setMark(trx, moving, { from: null, to: 2 }));
  assert.deepEqual(await owners(), [yes, no, yes, no, null]);
});

test("OPS-13: a new code deletes expired ones, but for those of people who are being moved", async (t) => {
  const { database } = await scratchDatabase(t);
  const [moving, settled] = [await someUser(database), await someUser(database)];
  await insert(database, moving, 1, { expiresAt: 1 });
  await database.transaction((trx) => setMark(trx, moving, { from: null, to: 2 }));
  await insert(database, settled, 2, { expiresAt: 1 });
  await insert(database, settled, 3);
  const codes = await database.read
    .selectFrom("app_codes")
    .select("code_hash")
    .orderBy("code_hash")
    .execute();
  assert.deepEqual(
    codes.map(({ code_hash }) => code_hash[0]),
    [1, 3],
  );
});

const few = { now: 1, maxRequests: 10 };

test("APP-4: of the requests that wait for all people the latest are kept, and the oldest dropped", async (t) => {
  const { database } = await scratchDatabase(t);
  const insertRequest = (number: number, expiresAt: number) =>
    database.transaction((trx) => {
      const request = { requestHash: hashOf(number), browserHash: hashOf(9), parameters: `${number}` };
      return insertAppRequest(trx, { ...request, expiresAt }, { now: 1, maxRequests: 3 });
    });
  const left = async () => {
    const rows = database.read.selectFrom("app_requests").select("parameters").orderBy("parameters");
    return (await rows.execute()).map(({ parameters }) => parameters);
  };
  for (const [number, expiresAt] of [
    [1, 52],
    [2, 50],
    [3, 51],
  ] as const)
    await insertRequest(number, expiresAt);
  assert.deepEqual(await left(), ["1", "2", "3"]);
  await insertRequest(4, 53);
  assert.deepEqual(await left(), ["1", "3", "4"]);
  // A request is never dropped by others of its own time alone.
  for (const number of [5, 6, 7]) await insertRequest(number, 54);
  assert.deepEqual(await left(), ["5", "6", "7"]);
});

test("APP-4: a request is used up once, by its browser and in time, and others stay", async (t) => {
  const { database } = await scratchDatabase(t);
  const key = (request: number, browser: number) => ({
    requestHash: hashOf(request),
    browserHash: hashOf(browser),
  });
  await database.transaction(async (trx) => {
    for (const number of [1, 2])
      await insertAppRequest(trx, { ...key(number, 9), parameters: `${number}`, expiresAt: 50 }, few);
    await insertAppRequest(trx, { ...key(3, 8), parameters: "3", expiresAt: 50 }, few);
  });
  const use = (request: number, browser: number, now = 49) =>
    database.transaction((trx) => deleteAppRequest(trx, key(request, browser), now));
  const left = async () => {
    const all = [key(1, 9), key(2, 9), key(3, 8)];
    const found = await Promise.all(all.map((one) => findAppRequest(database.read, one, 49)));
    return found.flatMap((one) => one?.parameters ?? []);
  };
  assert.deepEqual([await use(1, 8), await use(4, 9), await use(1, 9, 50)], [false, false, false]);
  assert.deepEqual(await left(), ["1", "2", "3"]);
  assert.equal(await use(1, 9), true);
  assert.deepEqual(await left(), ["2", "3"]);
  assert.equal(await use(1, 9), false);
});
