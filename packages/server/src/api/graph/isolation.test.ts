import assert from "node:assert/strict";
import { test } from "node:test";
import { repetitions } from "@clew/stand-in/testing/share";
import fc from "fast-check";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import type { Answer } from "../testing/route-server.ts";
import { type Bearer, type SeededPage, serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

/** Pages with these numbers exist; the tests check who sees which. */
const numbers = [1, 2, 3, 4, 5, 6, 7];

/** Requests of every operation for every page. */
const requests: readonly string[] = [
  "/",
  "/workspaces/",
  "/search/?q=page&limit=100",
  "/search/?q=page&limit=2",
  `/search/?q=page&workspace_id=${workspace}`,
  "/search/?sort=importance&limit=2",
  "/search/?is=-broken&sort=title",
  "/broken/",
  "/broken/?limit=1",
  "/tree/?depth=10",
  "/tree/?limit=1",
  `/workspaces/${workspace}/map/`,
  `/workspaces/${workspace}/map/nodes/`,
  `/workspaces/${other}/map/nodes/`,
  `/nodes/?ids=${numbers.map(nodeId).join(",")}`,
  `/edges/?ids=${numbers.map(nodeId).join(",")}`,
  "/export/?text=true",
  "/text/?q=secret%20text%20page",
  "/text/?q=text&limit=1",
  "/context/?q=secret%20text",
  ...numbers.flatMap((number) => [
    `/search/?q=Page%20${number}`,
    `/nodes/${nodeId(number)}/`,
    `/nodes/${nodeId(number)}/content/`,
    `/nodes/${nodeId(number)}/rows/`,
    `/nodes/${nodeId(number)}/neighbors/?depth=3&limit=200`,
    `/nodes/${nodeId(number)}/neighbors/?direction=in&limit=1`,
    `/nodes/${nodeId(number)}/related/?linked=true`,
    `/tree/?under=${nodeId(number)}`,
    `/search/?under=${nodeId(number)}`,
    `/text/?q=text%20-secret&under=${nodeId(number)}`,
    `/context/?id=${nodeId(number)}&q=page`,
    `/paths/?from=${nodeId(1)}&to=${nodeId(number)}&max_paths=20`,
    `/paths/?from=${nodeId(number)}&to=${nodeId(2)}&direction=out`,
  ]),
];

/** A response without its request id and date. */
function comparable({ status, headers, text, body }: Answer): unknown {
  const { "x-request-id": _, date: __, ...others } = headers;
  return { status, headers: others, text: text.replaceAll(body?.request_id ?? "none", "") };
}

async function allAnswers(bearers: readonly Bearer[]): Promise<unknown[]> {
  const responses: unknown[] = [];
  for (const bearer of bearers) {
    for (const path of requests) responses.push({ path, ...(comparable(await bearer.get(path)) as object) });
  }
  return responses;
}

/** Some of the pages, with titles, texts and references of one user. */
const anyPages: fc.Arbitrary<SeededPage[]> = fc.uniqueArray(
  fc.record({
    number: fc.constantFrom(...numbers),
    given: fc.record({
      type: fc.constantFrom("page", "database"),
      title: fc.constantFrom("Page", "Secret page", "Page 7"),
      parentId: fc.constantFrom(null, ...numbers.map(nodeId)),
      updatedAt: fc.nat(5),
    }),
    references: fc.array(fc.constantFrom(...numbers.map((number) => referenceTo(number))), { maxLength: 4 }),
    text: fc.constantFrom("Text", "Secret text"),
  }),
  { selector: ({ number }) => number, minLength: 1, maxLength: numbers.length },
);

// The same of a neighbour in the workspace is a property of ../../mcp/isolation.test.ts.
test("GRAPH-10: pages outside the token's workspaces change no response", async (t) => {
  const server = await serveGraphs(t, undefined, { withTexts: true });
  const owner = await server.person("owner");
  const own = await owner.connect(workspace);
  const outside = await owner.connect(other);
  const token = await owner.token({ workspaceIds: [workspace] });
  await fc.assert(
    fc.asyncProperty(anyPages, anyPages, async (ownPages, outsidePages) => {
      await server.sync(own, ownPages);
      await server.sync(outside, []);
      const [before, all] = [await allAnswers([token]), await allAnswers([owner.session])];
      await server.sync(outside, outsidePages);
      assert.deepEqual(await allAnswers([token]), before);
      assert.notDeepEqual(await allAnswers([owner.session]), all, "the session reads both");
    }),
    { numRuns: repetitions(3, 5) },
  );
});

test("SIGN-7, SRC-1: what another source of the same person has changes no response at a source's own paths, or to a token without it", async (t) => {
  const server = await serveGraphs(t, undefined, { withTexts: true });
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  const notion = await owner.connect(workspace);
  const folder = await owner.connect(other, [], "some");
  const theirs = await colleague.connect(other, [], "some");
  const token = await owner.token({ workspaceIds: [workspace] });
  await fc.assert(
    fc.asyncProperty(anyPages, anyPages, anyPages, async (notionPages, folderPages, theirPages) => {
      await server.sync(notion, notionPages);
      await server.sync(folder, []);
      await server.sync(theirs, []);
      const bearers = [token, owner.atNotion, colleague.atNotion];
      const before = await allAnswers(bearers);
      const all = await allAnswers([owner.session]);
      await server.sync(folder, folderPages);
      await server.sync(theirs, theirPages);
      assert.deepEqual(await allAnswers(bearers), before);
      assert.notDeepEqual(await allAnswers([owner.session]), all, "the paths of all sources have both");
    }),
    { numRuns: repetitions(2, 4) },
  );
});

test("GRAPH-10: two people in one workspace each see only the pages that they shared", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  const shared = { number: 1, references: [referenceTo(2), referenceTo(3)] };
  await owner.connect(workspace, [shared, { number: 2, text: "The owner's" }]);
  await colleague.connect(workspace, [shared, { number: 3, text: "The colleague's" }]);
  const neighborsOf = async (bearer: Bearer) =>
    (await bearer.get(`/nodes/${nodeId(1)}/neighbors/`)).body.items.map(
      ({ node }: { node: { id: string } }) => node.id,
    );
  const found = async (bearer: Bearer) =>
    (await bearer.get("/search/?q=page")).body.items.map(({ node }: { node: { id: string } }) => node.id);
  assert.deepEqual(await neighborsOf(owner.session), [nodeId(2)]);
  assert.deepEqual(await neighborsOf(colleague.session), [nodeId(3)]);
  assert.deepEqual((await found(owner.session)).toSorted(), [nodeId(1), nodeId(2)]);
  assert.deepEqual((await found(colleague.session)).toSorted(), [nodeId(1), nodeId(3)]);
});

test("GRAPH-10: responses for an unreadable and a missing node are identical in body and headers", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  await owner.connect(workspace, [{ number: 1, text: "Text" }]);
  await owner.connect(other, [{ number: 2, text: "Text" }]);
  await colleague.connect(workspace, [{ number: 3, text: "Text" }]);
  const token = await owner.token({ workspaceIds: [workspace] });
  const about = (id: string) => [
    `/nodes/${id}/`,
    `/nodes/${id}/content/`,
    `/nodes/${id}/neighbors/`,
    `/nodes/${id}/related/`,
    `/tree/?under=${id}`,
    `/search/?under=${id}`,
    `/paths/?from=${id}&to=${nodeId(1)}`,
    `/paths/?from=${nodeId(1)}&to=${id}`,
    `/nodes/?ids=${nodeId(1)},${id}`,
    `/edges/?ids=${nodeId(1)},${id}`,
  ];
  const conditional = { "if-none-match": "*", accept: "text/markdown, application/json" };
  const answersAbout = async (number: number) => {
    const id = nodeId(number);
    const responses = [];
    for (const path of about(id)) {
      for (const method of ["GET", "HEAD"] as const) {
        const answer = await token.call(method, path, conditional);
        assert.equal(answer.status, path.includes("?ids=") ? 200 : 404, path);
        responses.push(JSON.stringify(comparable(answer)).replaceAll(id, "the id"));
      }
    }
    return responses;
  };
  const unknownNode = await answersAbout(9);
  assert.deepEqual(await answersAbout(2), unknownNode, "outside the token's workspaces");
  assert.deepEqual(await answersAbout(3), unknownNode, "another user's");
});

test("GRAPH-10: a token gives no access to a workspace that its owner is not connected to", async (t) => {
  const server = await serveGraphs(t);
  const [owner, colleague] = [await server.person("owner"), await server.person("colleague")];
  const connection = await owner.connect(workspace, [{ number: 1 }]);
  await colleague.connect(workspace, [{ number: 1 }, { number: 2 }]);
  const token = await owner.token({ workspaceIds: [workspace] });
  assert.equal((await token.get(`/nodes/${nodeId(1)}/`)).status, 200);
  await server.disconnect(connection);
  assert.equal((await token.get(`/nodes/${nodeId(1)}/`)).status, 404);
  assert.equal((await token.get(`/search/?q=page&workspace_id=${workspace}`)).status, 403);
  const none = { items: [], total: null, unfiltered_total: null, next_cursor: null };
  assert.deepEqual((await token.get("/search/?q=page")).body, none);
  assert.deepEqual((await token.get(`/nodes/?ids=${nodeId(1)}`)).body, { items: [], missing: [nodeId(1)] });
});
