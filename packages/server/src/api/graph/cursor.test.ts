import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Node } from "@clew/contract";
import { minute, second } from "../../auth/testing/auth-fixture.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { type Bearer, nextOf, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** A hub with eight spokes. */
const pages: readonly SeededPage[] = [
  { number: 1, references: Array.from({ length: 8 }, (_, spoke) => referenceTo(spoke + 2)) },
  ...Array.from({ length: 8 }, (_, spoke) => ({ number: spoke + 2 })),
];

/** The first page of each kind of list, which has more of them. */
const lists = ["/search/?q=page&limit=2", `/nodes/${nodeId(1)}/neighbors/?limit=2`];

async function setUp(t: TestContext) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, pages);
  const token = await owner.token({ workspaceIds: [workspace] });
  return { server, owner, connection, token };
}

const cursorOf = async (bearer: Bearer, path: string): Promise<string> => {
  const { body } = await bearer.get(path);
  assert.equal(typeof body.next_cursor, "string");
  return body.next_cursor;
};

function assertRefused({ status, body }: Answer, code: string, about: string): void {
  assert.deepEqual([status, body.code], [code === "cursor_expired" ? 410 : 400, code], about);
}

const idsOf = ({ body }: Answer): string[] => body.items.map(({ node }: { readonly node: Node }) => node.id);

for (const list of lists) {
  const kind = list.includes("search") ? "search" : "neighbours";

  test(`GRAPH-12: an altered cursor of ${kind} is refused`, async (t) => {
    const { token } = await setUp(t);
    const cursor = await cursorOf(token, list);
    const bytes = Buffer.from(cursor, "base64url");
    for (const index of bytes.keys()) {
      const altered = Buffer.from(bytes);
      altered.writeUInt8(altered.readUInt8(index) ^ (1 << (index % 8)), index);
      const answer = await token.get(`${list}&cursor=${altered.toString("base64url")}`);
      assertRefused(answer, "invalid_cursor", `byte ${index}`);
      assert.equal(answer.body.errors[0].path, "?cursor");
    }
    for (const invalid of [
      "",
      "x",
      `${cursor}A`,
      `${cursor}=`,
      `${cursor}%20`,
      cursor.slice(1),
      `${cursor}&cursor=x`,
    ]) {
      assert.equal((await token.get(`${list}&cursor=${invalid}`)).status, 400, invalid);
    }
    assert.equal((await token.get(`${list}&cursor=${cursor}`)).status, 200);
  });

  test(`GRAPH-12: a cursor of ${kind} is bound to its caller and its list`, async (t) => {
    const { server, owner, token } = await setUp(t);
    const colleague = await server.person("colleague");
    await colleague.connect(workspace, pages);
    const theirToken = await colleague.token({ workspaceIds: [workspace] });
    const cursor = await cursorOf(token, list);
    const at = (path: string) => `${path}&cursor=${cursor}`;
    assertRefused(await theirToken.get(at(list)), "invalid_cursor", "another user's token");
    assertRefused(await colleague.session.get(at(list)), "invalid_cursor", "another user's session");
    assertRefused(await owner.session.get(at(list)), "invalid_cursor", "the other API");
    const changed = [
      ...["q=page", "q=pages", "q=page&type=page", `q=page&workspace_id=${workspace}`].map(
        (query) => `/search/?${query}`,
      ),
      ...["", "depth=2", "direction=in", "edge_type=link", "node_type=page"].map(
        (query) => `/nodes/${nodeId(1)}/neighbors/?${query}`,
      ),
      `/nodes/${nodeId(2)}/neighbors/?`,
    ].filter((path) => !list.startsWith(path.replace(/\?$/, "?limit")) && !list.startsWith(`${path}&limit`));
    assert.equal(changed.length, 9);
    for (const path of changed) assertRefused(await token.get(at(path)), "invalid_cursor", path);

    const sameRights = await owner.token({ workspaceIds: [workspace] });
    assert.equal(
      (await sameRights.get(at(list))).status,
      200,
      "a token with the same access, as after a rotation",
    );
  });

  test(`GRAPH-12: a cursor of ${kind} is bound to the readable workspaces, checked on each page`, async (t) => {
    const { server, owner, connection, token } = await setUp(t);
    const cursor = await cursorOf(token, list);
    const session = await cursorOf(owner.session, list);
    const second = await owner.connect(other, [{ number: 99 }]);
    const wider = await owner.token({ workspaceIds: [workspace, other] });
    assertRefused(
      await wider.get(`${list}&cursor=${cursor}`),
      "invalid_cursor",
      "a token that may read more",
    );
    assertRefused(await owner.session.get(`${list}&cursor=${session}`), "invalid_cursor", "more is readable");
    assert.equal(
      (await token.get(`${list}&cursor=${cursor}`)).status,
      200,
      "the token may read the same as before",
    );

    const both = await cursorOf(wider, list);
    await server.disconnect(second);
    assertRefused(await wider.get(`${list}&cursor=${both}`), "invalid_cursor", "less is readable");

    await server.disconnect(connection);
    assertRefused(await token.get(`${list}&cursor=${cursor}`), "invalid_cursor", "nothing is readable");
    await owner.connect(workspace, pages);
    assertRefused(await token.get(`${list}&cursor=${cursor}`), "invalid_cursor", "connected again");
  });

  test(`GRAPH-12: a list of ${kind} continues in the graph version it began with, for a minute`, async (t) => {
    const { server, connection, token } = await setUp(t);
    const { clock } = server.fixture;
    const whole = idsOf(await token.get(list.replace("limit=2", "limit=100")));
    const first = await token.get(list);
    // Removes everything listed so far, and changes the rank and order of the rest.
    await server.sync(connection, [
      { number: 0x101, references: [referenceTo(9), referenceTo(5)] },
      ...pages.slice(3).map(({ number }) => ({ number, given: { title: "Elsewhere" } })),
    ]);
    clock.advance(minute - second);
    const found = idsOf(first);
    for (
      let answer = first;
      answer.body.next_cursor !== null && found.length < 100;
      found.push(...idsOf(answer))
    ) {
      answer = await token.get(nextOf(answer));
      assert.equal(answer.status, 200, answer.text);
    }
    assert.deepEqual(found, whole);

    clock.advance(2 * second);
    assertRefused(await token.get(nextOf(first)), "cursor_expired", "after a minute");
  });

  test(`GRAPH-12: a list of ${kind} continues until a newer graph is published`, async (t) => {
    const { server, token } = await setUp(t);
    const first = await token.get(list);
    server.fixture.clock.advance(24 * 60 * minute);
    assert.equal((await token.get(nextOf(first))).status, 200);
  });
}
