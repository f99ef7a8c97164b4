import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { CreatedToken } from "@clew/contract";
import { openReader } from "../../../packages/server/src/store/database.ts";
import { filesIn } from "../../support/files-in.ts";
import type { Chapter, Section } from "../section.ts";
import { get, post, remove, workspaceId } from "../stage.ts";
import { table } from "../table.ts";

const iso = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The token that the first section creates and the later ones use. */
let created: CreatedToken;

const creation: Section = {
  title: "POST /api/tokens/",
  source: "§2.3, §2.5, §4, §5.4, §5.5",
  demand:
    "With a session's access token, `name`, `scopes`, `workspace_ids` and optionally `expires_in_days` create a service " +
    "token. The response is its record with the raw token, which is never shown again.",
  async show(page, stage) {
    const wish = {
      name: "nightly build",
      scopes: ["graph:search", "graph:read"],
      workspace_ids: [await workspaceId(stage, stage.session)],
      expires_in_days: 30,
    };
    const answer = await page.exchange(post("/api/tokens/", wish, stage.session.access), {
      headers: ["Cache-Control"],
    });
    created = answer.body;
    await page.claim("`id` is an integer", () => assert.ok(Number.isInteger(created.id)));
    await page.claim("`name`, `scopes` and `workspace_ids` are those of the request", () => {
      const { name, scopes, workspace_ids } = created;
      assert.deepEqual({ name, scopes, workspace_ids, expires_in_days: 30 }, wish);
    });
    await page.claim("`token` is `svc_` and 32 characters", () =>
      assert.match(created.token, /^svc_[A-Za-z0-9]{32}$/),
    );
    await page.claim("`prefix` is its leading portion", () => {
      assert.ok(created.token.startsWith(created.prefix) && created.prefix.length < created.token.length);
    });
    await page.claim("`is_active` is true", () => assert.equal(created.is_active, true));
    await page.claim("`created_at` and `expires_at` are ISO 8601 in UTC, 30 days apart", () => {
      assert.match(created.created_at, iso);
      assert.match(created.expires_at ?? "", iso);
      assert.equal(Date.parse(created.expires_at ?? "") - Date.parse(created.created_at), 30 * 86_400_000);
    });
    await page.claim("a second token is different", async () => {
      assert.notEqual((await stage.createToken({ name: "another" })).token, created.token);
    });
  },
};

const hash: Section = {
  title: "What is stored of a token",
  source: "§5.5",
  demand:
    "Only the SHA-256 hash of a token is stored; the raw token is only in the response to its creation.",
  async show(page, { clew, send, session }) {
    await page.claim("the database holds the SHA-256 of the raw token", async () => {
      const { read, close } = await openReader(clew.databaseLocation);
      const stored = read.selectFrom("service_tokens").select("hash").where("id", "=", created.id);
      const { hash } = await stored.executeTakeFirstOrThrow().finally(close);
      assert.equal(
        Buffer.from(hash).toString("hex"),
        createHash("sha256").update(created.token).digest("hex"),
      );
    });
    await page.claim("no file of the data folder holds the raw token", async () => {
      for (const [name, bytes] of await filesIn(clew.dataDir))
        assert.ok(!bytes.includes(created.token), name);
    });
    await page.claim("no later response contains it", async () => {
      const secret = created.token.slice(created.prefix.length);
      const answers = [
        await send(get("/api/tokens/", session.access)),
        await send(get("/api/v1/token/", created.token)),
      ];
      for (const { status, text } of answers) assert.ok(status === 200 && !text.includes(secret));
    });
  },
};

const list: Section = {
  title: "GET /api/tokens/",
  source: "§2.3, §4",
  demand: "A session lists the caller's own service tokens, without their raw values.",
  async show(page, stage) {
    const answer = await page.exchange(get("/api/tokens/", stage.session.access));
    const items: Record<string, unknown>[] = answer.body.items;
    await page.claim("the list contains the caller's tokens", () =>
      assert.ok(items.some(({ id }) => id === created.id)),
    );
    await page.claim("a record has the fields of the creation except `token`", () => {
      const { token: _, ...record } = created;
      assert.deepEqual(
        items.filter(({ id }) => id === created.id).map((item) => ({ ...item, ...record })),
        items.filter(({ id }) => id === created.id),
      );
      assert.ok(items.every((item) => !("token" in item)));
    });
    await page.claim("another person's list has none of them", async () => {
      const visitor = await stage.signIn("VISITOR", { person: "Visitor" });
      assert.deepEqual((await stage.send(get("/api/tokens/", visitor.access))).body.items, []);
    });
  },
};

const revocation: Section = {
  title: "DELETE /api/tokens/&lt;id&gt;/",
  source: "§3.4, §4",
  demand: "A session permanently revokes a token of its user by id.",
  async show(page, stage) {
    const { send, session } = stage;
    const path = `/api/tokens/${created.id}/`;
    await page.claim("before the revocation the token can be used", async () => {
      assert.equal((await send(get("/api/v1/", created.token))).status, 200);
    });
    await page.claim("another person cannot revoke it: for them the token does not exist", async () => {
      const visitor = await stage.signIn("VISITOR", { person: "Visitor" });
      assert.equal((await send(remove(path, visitor.access))).status, 404);
      assert.equal((await send(get("/api/v1/", created.token))).status, 200);
    });
    const answer = await page.exchange(remove(path, session.access));
    await page.claim("the response to the revocation has no body", () => assert.equal(answer.status, 204));
    const late = await page.exchange(get("/api/v1/", created.token));
    await page.claim("after the revocation the token is refused", () => {
      assert.deepEqual([late.status, late.body.code], [401, "token_revoked"]);
    });
    await page.claim("in the list it is no longer active", async () => {
      const { body } = await send(get("/api/tokens/?is_active=false", session.access));
      assert.deepEqual(
        [body.items.length, body.items[0].id, body.items[0].is_active],
        [1, created.id, false],
      );
    });
  },
};

const management: Section = {
  title: "Who may manage tokens",
  source: "§5.4",
  demand: "Creating, listing and revoking service tokens requires a session. A service token opens only V1.",
  async show(page, stage) {
    const { token, id } = await stage.createToken({ name: "curious" });
    const wish = {
      name: "child",
      scopes: ["graph:read"],
      workspace_ids: [await workspaceId(stage, stage.session)],
    };
    const answer = await page.exchange(post("/api/tokens/", wish, token));
    const others = [
      get("/api/tokens/", token),
      remove(`/api/tokens/${id}/`, token),
      get("/api/auth/me/", token),
      get("/api/auth/validate/", token),
      post("/api/auth/logout/", { refresh: stage.session.refresh }, token),
      get("/api/provider-graph/", token),
    ];
    const rows: string[][] = [];
    for (const request of others) {
      const { status, body } = await stage.send(request);
      rows.push([`\`${request.method} ${request.path}\``, `${status} \`${body.code}\``]);
    }
    page.say(table(["with a service token", "answer"], rows));
    await page.claim("a service token cannot create a service token", () => {
      assert.deepEqual([answer.status, answer.body.code], [403, "wrong_token_type"]);
    });
    await page.claim("a service token opens nothing except V1", () => {
      for (const [request, refusal] of rows) assert.equal(refusal, "403 `wrong_token_type`", request);
    });
    await page.claim("without credentials all of these are 401", async () => {
      for (const { method, path } of others)
        assert.equal((await stage.send({ method, path })).status, 401, path);
    });
    await page.claim("the service token still works in V1", async () => {
      assert.equal((await stage.send(get("/api/v1/", token))).status, 200);
    });
    await stage.send(remove(`/api/tokens/${id}/`, stage.session.access));
  },
};

export const serviceTokenChapter: Chapter = {
  title: "Service tokens",
  // No token is used before the list is shown, because the last use is stored with a delay.
  sections: [creation, list, hash, revocation, management],
};
