import assert from "node:assert/strict";
import { test } from "node:test";
import { idsByTitle } from "./references.ts";
import { sdk, serveFiles } from "./serve-folder.ts";

test("requests are recorded in order, with route, id, time, grant and status", async (t) => {
  let now = 1_000;
  const served = await serveFiles(t, { "a.md": "# A" }, { recordRequests: true, clock: () => now });
  const { notion, tokens } = await served.signIn();
  const id = (await idsByTitle(notion)).get("A") ?? "";
  served.standIn.resetCalls();
  assert.deepEqual([served.standIn.calls(), served.standIn.requests()], [{}, []]);
  await notion.pages.retrieve({ page_id: id.replaceAll("-", "") });
  now = 2_000;
  await assert.rejects(notion.pages.retrieveMarkdown({ page_id: tokens.bot_id }));
  await assert.rejects(sdk(served.standIn, "ntn_wrong").users.me({}));
  const bot = tokens.bot_id;
  assert.deepEqual(served.standIn.requests(), [
    { method: "GET", route: "/v1/pages/:page_id", id, at: 1_000, bot, status: 200 },
    { method: "GET", route: "/v1/pages/:page_id/markdown", id: bot, at: 2_000, bot, status: 404 },
    { method: "GET", route: "/v1/users/me", id: null, at: 2_000, bot: null, status: 401 },
  ]);
  assert.equal(served.standIn.calls()["GET /v1/pages/:page_id"], 1);
});

test("requests are only counted by default", async (t) => {
  const { signIn, standIn } = await serveFiles(t, { "a.md": "# A" });
  await signIn();
  assert.deepEqual(standIn.requests(), []);
  assert.equal(standIn.calls()["POST /v1/oauth/token"], 1);
});
