import assert from "node:assert/strict";
import { test } from "node:test";
import { scratchDatabase, someUser } from "../testing/scratch.ts";
import { insertAppCode, removeWorkspaceFromCodes, takeAppCode } from "./apps.ts";
import { openSession } from "./sessions.ts";

test("GRAPH-15: a disconnected workspace leaves the codes of its user, and one without another ends", async (t) => {
  const { database } = await scratchDatabase(t);
  const [ann, ben] = [await someUser(database), await someUser(database)];
  const insert = (userId: string, name: number, workspaceIds: readonly string[]) =>
    database.transaction(async (trx) => {
      const sessionId = `session ${name}`;
      await openSession(trx, { id: sessionId, userId, userAgent: null, createdAt: 1, refreshExpiresAt: 100 });
      const code = {
        codeHash: new Uint8Array(32).fill(name),
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
        expiresAt: 50,
      } as const;
      await insertAppCode(trx, code, 1);
    });
  await insert(ann, 1, ["left", "gone"]);
  await insert(ann, 2, ["gone"]);
  await insert(ann, 3, ["left"]);
  await insert(ben, 4, ["gone"]);
  await database.transaction((trx) => removeWorkspaceFromCodes(trx, ann, "gone"));
  const take = (name: number) =>
    database.transaction((trx) => takeAppCode(trx, new Uint8Array(32).fill(name)));
  const workspaces = [];
  for (const name of [1, 2, 3, 4]) workspaces.push((await take(name))?.workspaceIds ?? null);
  assert.deepEqual(workspaces, [["left"], null, ["left"], ["gone"]]);
});
