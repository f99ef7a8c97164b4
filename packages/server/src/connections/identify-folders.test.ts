import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { upsertConnection } from "../store/queries/connections.ts";
import { upsertUser } from "../store/queries/users.ts";
import { scratchDatabase } from "../store/testing/scratch.ts";
import { identifyFolders } from "./identify-folders.ts";

/** A database, and a start of Clew with folders, each as `name=path`. Returns the ids of their workspaces by their names. */
async function setUp(t: Parameters<typeof scratchDatabase>[0]) {
  const { database } = await scratchDatabase(t);
  const start = async (...folders: readonly string[]) => {
    const configured = folders.map((folder) => {
      const [slug = "", path = ""] = folder.split("=");
      return { slug, name: slug, path };
    });
    const served = await identifyFolders(database, configured, randomBytes);
    return Object.fromEntries(served.map(({ slug, workspaceId }) => [slug, workspaceId]));
  };
  const connect = (provider: string, workspaceId: string) =>
    database.transaction(async (trx) => {
      const who = { provider: "folder", providerUserId: "owner", email: null, name: null, avatarUrl: null };
      const { id: userId } = await upsertUser(trx, { newId: "owner", ...who }, 0);
      const tokens = { accessToken: Uint8Array.of(1), refreshToken: null };
      const grant = { userId, provider, workspaceId, name: null, icon: null, grantId: "g", ...tokens };
      return upsertConnection(trx, grant, 0);
    });
  return { start, connect };
}

test("SRC-2: each folder is a workspace with a random id, which it keeps", async (t) => {
  const { start } = await setUp(t);
  const first = await start("a=/a", "b=/b");
  assert.match(first.a ?? "", /^[0-9a-f]{8}-[0-9a-f]{4}-4/);
  assert.notEqual(first.a, first.b);
  assert.deepEqual(await start("a=/a", "b=/b"), first);
  assert.deepEqual(await (await setUp(t)).start(), {});
});

test("SRC-2: a folder that is renamed or moved is the same workspace, also after it was not served", async (t) => {
  const { start } = await setUp(t);
  const { a } = await start("a=/a");
  assert.deepEqual(await start("renamed=/a"), { renamed: a });
  assert.deepEqual(await start("renamed=/moved"), { renamed: a });
  await start("other=/other");
  assert.deepEqual(await start("renamed=/elsewhere"), { renamed: a });
});

test("SRC-2: a path counts before a name, so folders that swap names keep their ids, and no two have the same", async (t) => {
  const { start } = await setUp(t);
  const { a, b } = await start("a=/a", "b=/b");
  assert.deepEqual(await start("a=/b", "b=/a"), { a: b, b: a });
  assert.deepEqual(await start("a=/a", "b=/b"), { a, b });
  // Another folder has the path now, and so the workspace.
  const taken = await start("a=/new", "c=/a");
  assert.equal(taken.c, a);
  assert.ok(taken.a !== a && taken.a !== b);
  // The name has gone to the new one.
  assert.equal((await start("a=/newer")).a, taken.a);
  // The folder that has lost its name is found by its path.
  assert.deepEqual(await start("b=/newer"), { b: taken.a });
  assert.deepEqual(await start("d=/b"), { d: b });
});

test("SRC-2: a folder that is connected already goes on as the same workspace", async (t) => {
  const { start, connect } = await setUp(t);
  await connect("a", "earlier");
  assert.deepEqual(await start("a=/a"), { a: "earlier" });
  await connect("b", "earlier");
  const { a, b } = await start("a=/a", "b=/b");
  assert.equal(a, "earlier");
  assert.notEqual(b, "earlier");
});

test("SRC-2: instances that start at once on one database agree", async (t) => {
  const { start } = await setUp(t);
  const [one, two, three] = await Promise.all([start("a=/a", "b=/b"), start("a=/a", "b=/b"), start("b=/b")]);
  assert.deepEqual(one, two);
  assert.equal(three?.b, one?.b);
});
