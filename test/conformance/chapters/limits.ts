import assert from "node:assert/strict";
import { scopeNames } from "@clew/contract";
import type { Chapter, Section } from "../section.ts";
import { get, post, remove, workspaceId } from "../stage.ts";
import { table } from "../table.ts";

const tenTokens: Section = {
  title: "At most 10 service tokens per user",
  source: "§8",
  demand: "A user has at most 10 service tokens.",
  async show(page, stage) {
    const session = await stage.signIn("VISITOR", { person: "Visitor" });
    const ids: number[] = [];
    for (let count = 1; count <= 10; count += 1) {
      ids.push((await stage.createToken({ name: `token ${count}`, session })).id);
    }
    page.say("The visitor has ten service tokens, and asks for one more.");
    const workspaces = [await workspaceId(stage, session)];
    const wish = post(
      "/api/tokens/",
      { name: "token 11", scopes: scopeNames, workspace_ids: workspaces },
      session.access,
    );
    const eleventh = await page.exchange(wish);
    await page.claim("ten are created, and the eleventh is refused", () => {
      assert.deepEqual([ids.length, eleventh.status, eleventh.body.code], [10, 409, "token_limit_reached"]);
    });
    await page.claim("nothing was created by the refused request", async () => {
      assert.equal((await stage.send(get("/api/tokens/", session.access))).body.items.length, 10);
    });
    await page.claim("after a revocation another one can be created", async () => {
      await stage.send(remove(`/api/tokens/${ids[0]}/`, session.access));
      assert.equal((await stage.send(wish)).status, 201);
      assert.equal((await stage.send(wish)).status, 409);
    });
    await page.claim("eleven concurrent requests do not create an eleventh token either", async () => {
      const { items } = (await stage.send(get("/api/tokens/?is_active=true", session.access))).body;
      for (const { id } of items) await stage.send(remove(`/api/tokens/${id}/`, session.access));
      const answers = await Promise.all(Array.from({ length: 11 }, () => stage.send(wish)));
      assert.equal(answers.filter(({ status }) => status === 201).length, 10);
    });
  },
};

const refusals: Section = {
  title: "Required fields of a creation",
  source: "§2.4, §2.5, §5.6, §8",
  demand:
    "`name`, `scopes` and `workspace_ids` are required. At least one of the three scopes and at least one workspace must be " +
    "named. `expires_in_days` is an optional integer.",
  async show(page, stage) {
    const { send, session } = stage;
    const wish = {
      name: "agent",
      scopes: ["graph:read"],
      workspace_ids: [await workspaceId(stage, session)],
    };
    const create = (body: unknown) => send(post("/api/tokens/", body, session.access));
    const count = async () => (await send(get("/api/tokens/", session.access))).body.items.length;
    const before = await count();
    const { name: _name, ...nameless } = wish;
    const { scopes: _scopes, ...scopeless } = wish;
    const { workspace_ids: _ids, ...nowhere } = wish;
    const faulty: readonly (readonly [string, unknown, string])[] = [
      ["no `name`", nameless, "/name"],
      ["no `scopes`", scopeless, "/scopes"],
      ["`scopes: []`", { ...wish, scopes: [] }, "/scopes"],
      ['`scopes: ["graph:write"]`', { ...wish, scopes: ["graph:write"] }, "/scopes/0"],
      ["no `workspace_ids`", nowhere, "/workspace_ids"],
      ["`workspace_ids: []`", { ...wish, workspace_ids: [] }, "/workspace_ids"],
      [
        "a workspace that one is not connected to",
        { ...wish, workspace_ids: ["elsewhere"] },
        "/workspace_ids/0",
      ],
      ['`expires_in_days: "30"`', { ...wish, expires_in_days: "30" }, "/expires_in_days"],
      ["`expires_in_days: 1.5`", { ...wish, expires_in_days: 1.5 }, "/expires_in_days"],
    ];
    const results: (readonly [number, string])[] = [];
    for (const [, body] of faulty) {
      const answer = await create(body);
      results.push([answer.status, answer.body.errors[0].path]);
    }
    const rows = faulty.map(([name], index) => [
      name,
      `${results[index]?.[0]}`,
      `\`${results[index]?.[1]}\``,
    ]);
    page.say(table(["asked for", "answer", "fault at"], rows));
    await page.claim("each error is refused and reported with its path", () => {
      assert.deepEqual(
        results,
        faulty.map(([, , path]) => [400, path]),
      );
    });
    await page.claim("none of them created a token", async () => assert.equal(await count(), before));
    const several = await page.exchange(
      post("/api/tokens/", { scopes: [], workspace_ids: [] }, session.access),
    );
    await page.claim("several errors are reported together", () => {
      const paths = several.body.errors.map(({ path }: { path: string }) => path);
      assert.deepEqual(paths.toSorted(), ["/name", "/scopes", "/workspace_ids"]);
    });
    await page.claim("one scope, one workspace and no `expires_in_days` are enough", async () => {
      const { status, body } = await create(wish);
      assert.deepEqual([status, body.expires_at], [201, null]);
      await send(remove(`/api/tokens/${body.id}/`, session.access));
    });
  },
};

export const limitChapter: Chapter = {
  title: "Limits",
  sections: [tenTokens, refusals],
};
