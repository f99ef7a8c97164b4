import assert from "node:assert/strict";
import { test } from "node:test";
import { graphLimits } from "@clew/contract";
import { nodeId } from "../../store/testing/scratch.ts";
import { followList, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** A page with a word in title and text, below the page of another number. */
const page = (number: number, title: string, parent: number | null): SeededPage => ({
  number,
  given: { title, parentId: parent === null ? null : nodeId(parent) },
  text: `A comet is on page ${number}.`,
});

const pages = [page(1, "Atlas", null), page(2, "", 1), page(3, "Comet", 2), page(4, "Comets", 0xff)];

for (const path of ["/search/?q=comet", "/search/?sort=title", "/text/?q=comet"])
  test(`GRAPH-4, GRAPH-19: with breadcrumb=true each item says where its page is, as its detail does: ${path}`, async (t) => {
    const server = await serveGraphs(t, undefined, { withTexts: true });
    const owner = await server.person("owner");
    await owner.connect(workspace, pages);
    const scopes = ["graph:search", "graph:read"] as const;
    const token = await owner.token({ workspaceIds: [workspace], scopes });
    const plain = await token.get(path);
    const { body } = await token.get(`${path}&breadcrumb=true`);
    assert.ok(body.items.length > 0);
    for (const { node, breadcrumb, ...item } of body.items) {
      assert.deepEqual(breadcrumb, (await token.get(`/nodes/${node.id}/`)).body.breadcrumb);
      assert.ok(!("breadcrumb_truncated" in item));
    }
    const without = body.items.map(({ breadcrumb: _, ...item }: { breadcrumb: unknown }) => item);
    assert.deepEqual(plain.body.items, without);
    assert.deepEqual((await token.get(`${path}&breadcrumb=false`)).body, plain.body);
    const { items } = await followList(token, `${path}&breadcrumb=true&limit=1`);
    assert.deepEqual(items, body.items);
  });

test("GRAPH-19: a breadcrumb in a list keeps the nearest pages, and says when it lacks others", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const { levels } = graphLimits.breadcrumb;
  const chain = Array.from({ length: levels + 2 }, (_, n) => page(n + 1, `Level ${n}`, n === 0 ? null : n));
  await owner.connect(workspace, chain);
  const found = async (title: string) =>
    (await owner.session.get(`/search/?q=${title}&breadcrumb=true`)).body.items[0];
  const whole = await found(`Level ${levels}`);
  assert.deepEqual([whole.breadcrumb.length, whole.breadcrumb[0].title], [levels, "Level 0"]);
  assert.equal(whole.breadcrumb_truncated, undefined);
  const cut = await found(`Level ${levels + 1}`);
  assert.deepEqual([cut.breadcrumb.length, cut.breadcrumb[0].title], [levels, "Level 1"]);
  assert.equal(cut.breadcrumb_truncated, true);
});

test("GRAPH-10: a breadcrumb in a list needs no further scope, and has only what the caller may read", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  await owner.connect(workspace, pages);
  await owner.connect(other, [page(9, "Secret", null), page(10, "Comet", 9)]);
  await colleague.connect(workspace, pages.slice(2));
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const path = "/search/?q=comet&type=page&breadcrumb=true";
  const places = async (bearer: Pick<typeof token, "get">) => {
    const { status, body } = await bearer.get(path);
    assert.equal(status, 200);
    return body.items.map(({ breadcrumb }: { breadcrumb: readonly { title: string }[] }) =>
      breadcrumb.map(({ title }) => title),
    );
  };
  assert.deepEqual(await places(token), [["Atlas", ""], []]);
  assert.deepEqual(await places(colleague.session), [[], []]);
});
