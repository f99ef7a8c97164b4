import assert from "node:assert/strict";
import { test } from "node:test";
import { pino } from "pino";
import { findUser } from "../../store/queries/users.ts";
import { serveGraphs } from "../graph/testing/graph-server.ts";
import { accountRoute } from "./routes.ts";

const workspace = "11111111-1111-4111-8111-111111111111";

test("SESS-9: after the response, a deleted account and its tokens get 401, and no other account is affected", async (t) => {
  const abandoned: number[] = [];
  const server = await serveGraphs(t, async (app, { fixture, graphs }) => {
    const sync = { abandon: async (id: number) => void abandoned.push(id) };
    const services = { ...fixture, graphs, sync, log: pino({ level: "silent" }) };
    await app.register((scope) => accountRoute(scope, services), { prefix: "/api/auth" });
  });
  const [leaving, staying] = [await server.person("leaving"), await server.person("staying")];
  const { id } = await leaving.connect(workspace, [{ number: 1 }]);
  await staying.connect(workspace, [{ number: 1 }]);
  const token = await leaving.token({ workspaceIds: [workspace] });
  const remove = () =>
    server.app.inject({
      method: "DELETE",
      url: "/api/auth/me/",
      headers: { authorization: `Bearer ${leaving.tokens.access}` },
    });

  const answer = await remove();
  assert.deepEqual([answer.statusCode, answer.body], [204, ""]);
  assert.deepEqual(abandoned, [id]);
  const deletions = server.logged.map((line) => JSON.parse(line)).filter(({ security }) => security);
  assert.deepEqual(
    deletions.map(({ event, user_id, session_id, address }) => [event, user_id, session_id, address]),
    [["account_deleted", leaving.userId, leaving.tokens.sessionId, "127.0.0.1"]],
    "the security log still names who deleted the account",
  );
  assert.equal((await leaving.session.get("/")).status, 401);
  assert.equal((await token.get("/")).status, 401);
  assert.equal((await remove()).statusCode, 401);
  assert.equal(await findUser(server.fixture.database.read, leaving.userId), null);
  assert.equal((await staying.session.get("/search/?q=page")).body.items.length, 1);
});
