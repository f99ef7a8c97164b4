import assert from "node:assert/strict";
import { type IncomingMessage, request } from "node:http";
import { type TestContext, test } from "node:test";
import type { Edge, ExportedBroken, ExportedNode, Node, NodeDetail, Scope } from "@clew/contract";
import fc from "fast-check";
import { processorMs } from "../../model/testing/deadlines.ts";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { saveContent } from "../../store/testing/write-graph.ts";
import { type Bearer, type GraphServer, type SeededPage, serveGraphs } from "./testing/graph-server.ts";
import { parseCsv, parseGraphml, withoutApostrophe } from "./testing/parse-export.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const other = "22222222-2222-4222-8222-222222222222";

// biome-ignore lint/suspicious/noExplicitAny: assertions check the shape
type Line = any;

const linesOf = (text: string): Line[] =>
  text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line));

async function exported(bearer: Bearer, query = ""): Promise<Line[]> {
  const { status, text } = await bearer.get(`/export/${query}`);
  assert.equal(status, 200, text);
  return linesOf(text);
}

/** The nodes, edges and broken references as the other operations show them. */
async function modelOf(bearer: Bearer, count: number) {
  const ids = Array.from({ length: count }, (_, index) => nodeId(index + 1));
  const listed: Node[] = (await bearer.get(`/nodes/?ids=${ids.join(",")}`)).body.items;
  const nodes: ExportedNode[] = [];
  const edges: Edge[] = [];
  const broken: ExportedBroken[] = [];
  for (const node of listed) {
    const { id } = node;
    const { properties, unresolved }: NodeDetail = (await bearer.get(`/nodes/${id}/`)).body;
    nodes.push({ ...node, properties });
    broken.push(...unresolved.map((reference) => ({ from: id, ...reference })));
    const { body } = await bearer.get(`/nodes/${id}/neighbors/?direction=out&limit=200`);
    edges.push(...body.items.flatMap((item: { edges: Edge[] }) => item.edges));
  }
  return { nodes, edges, broken };
}

const order = (a: object, b: object) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1);

/** Titles with everything that a format could stumble over. */
const hostileText = fc.oneof(
  fc.string({ unit: "binary", maxLength: 12 }),
  fc
    .array(fc.constantFrom(..."\"',;=+-@\t\r\n<>&]]>\u0000\u0008\u001f\u0085\u2028\ufffe ＝x😀"), {
      maxLength: 8,
    })
    .map((signs) => signs.join("")),
);

const hostilePages: fc.Arbitrary<SeededPage[]> = fc
  .array(
    fc.record({
      title: hostileText,
      parent: fc.nat(8),
      icon: fc.constantFrom(null, "🧶"),
      targets: fc.array(
        fc.record({
          target: fc.integer({ min: 1, max: 9 }),
          name: hostileText,
          count: fc.integer({ min: 1, max: 5 }),
        }),
        { maxLength: 4 },
      ),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .map((pages) =>
    pages.map(({ title, parent, icon, targets }, index) => ({
      number: index + 1,
      given: {
        title,
        icon,
        properties: { [title]: [title, { start: title }], "=1+1": null },
        parentId: parent === 0 ? null : nodeId(parent),
        url: `https://example.org/${index}`,
      },
      references: targets.map(({ target, name, count }) =>
        referenceTo(target, { type: "relation", name, count }),
      ),
    })),
  );

/** How a table names an author. */
const nameOf = (author?: { readonly id: string; readonly name: string | null }) =>
  author?.name ?? author?.id ?? null;

test("GRAPH-26: every format has the nodes and edges that the other operations show, whatever is in them", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [{ number: 1 }]);
  const cell = (value: string | number | null) => (value === null ? "" : String(value));
  await fc.assert(
    fc.asyncProperty(hostilePages, async (pages) => {
      await server.sync(connection, pages);
      const model = await modelOf(owner.session, pages.length);
      const lines = await exported(owner.session);
      assert.deepEqual(lines.at(-1), { end: { nodes: model.nodes.length, edges: model.edges.length } });
      assert.deepEqual(
        lines.flatMap(({ node }) => node ?? []),
        model.nodes,
      );
      assert.deepEqual(lines.flatMap(({ edge }) => edge ?? []).sort(order), model.edges.toSorted(order));

      const rows = parseCsv((await owner.session.get("/export/?format=csv&part=nodes")).text);
      const cells = rows.map((row) => Object.values(row).map(withoutApostrophe));
      assert.deepEqual(
        cells,
        model.nodes.map(({ degree, importance, properties, created_by, edited_by, ...node }) =>
          [
            ...Object.values(node),
            ...[created_by, edited_by].map(nameOf),
            degree.in,
            degree.out,
            importance,
            JSON.stringify(properties),
          ].map(cell),
        ),
      );
      const edgeRows = parseCsv((await owner.session.get("/export/?format=csv&part=edges")).text);
      assert.deepEqual(
        edgeRows.map((row) => Object.values(row).map(withoutApostrophe)),
        lines.flatMap(({ edge }) => (edge ? [Object.values<string | number | null>(edge).map(cell)] : [])),
      );

      const lost = await exported(owner.session, "?part=broken");
      assert.deepEqual(lost.at(-1), { end: { nodes: 0, edges: 0, broken: model.broken.length } });
      assert.deepEqual(lost.flatMap(({ broken }) => broken ?? []).sort(order), model.broken.toSorted(order));
      const lostRows = parseCsv((await owner.session.get("/export/?format=csv&part=broken")).text);
      assert.deepEqual(
        lostRows.map((row) => Object.values(row).map(withoutApostrophe)),
        lost.flatMap(({ broken }) =>
          broken ? [Object.values<string | number | null>(broken).map(cell)] : [],
        ),
      );

      const graphml = parseGraphml((await owner.session.get("/export/?format=graphml")).text);
      assert.deepEqual(
        graphml.nodes,
        model.nodes.map(({ degree, properties, created_by, edited_by, ...node }) =>
          inXml({
            ...node,
            created_by: nameOf(created_by),
            edited_by: nameOf(edited_by),
            degree_in: degree.in,
            degree_out: degree.out,
            properties: JSON.stringify(properties),
          }),
        ),
      );
      assert.deepEqual(
        graphml.edges,
        lines.flatMap(({ edge }) =>
          edge
            ? [
                inXml({
                  source: edge.from,
                  target: edge.to,
                  type: edge.type,
                  name: edge.name,
                  count: edge.count,
                }),
              ]
            : [],
        ),
      );
    }),
    { numRuns: 25 },
  );
});

/** Values as XML can have them: without nulls, and without the characters that it excludes. */
function inXml(values: Readonly<Record<string, string | number | null>>): Record<string, string | number> {
  const excluded = /[^\t\n\r -\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      value === null
        ? []
        : [[name, typeof value === "string" ? value.replaceAll(excluded, "\uFFFD") : value]],
    ),
  );
}

test("GRAPH-26: a cell that a spreadsheet would run is a text in CSV", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const titles = ['=HYPERLINK("x")', "+1", "-1", "@a", "\t=1", "'=1", "plain", 'a "b", c'];
  await owner.connect(
    workspace,
    titles.map((title, index) => ({ number: index + 1, given: { title } })),
  );
  const { text, headers } = await owner.session.get("/export/?format=csv&part=nodes");
  assert.equal(headers["content-type"], "text/csv; charset=utf-8");
  assert.equal(headers["content-disposition"], 'attachment; filename="clew-nodes.csv"');
  const cells = parseCsv(text).map(({ title }) => title);
  assert.deepEqual(cells, [`'=HYPERLINK("x")`, "'+1", "'-1", "'@a", "'\t=1", "''=1", "plain", 'a "b", c']);
});

test("GRAPH-26: text=true adds the texts as they are stored now", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const long = `${"a".repeat(32 * 1024 - 1)}😀${'"\n'.repeat(50_000)}`;
  const texts = ["One", long, "", "Four"];
  const connection = await owner.connect(
    workspace,
    texts.map((text, index) => ({ number: index + 1, text })),
  );
  const stored = async () =>
    (await exported(owner.session, "?text=true&part=nodes")).flatMap(({ text }) => text ?? []);
  const contents = [];
  for (const index of texts.keys()) {
    const { body } = await owner.session.get(`/nodes/${nodeId(index + 1)}/content/?max_chars=1000000`);
    contents.push({ node_id: body.node_id, markdown: body.markdown, updated_at: body.updated_at });
  }
  assert.deepEqual(await stored(), contents);
  const tag = (await owner.session.get("/export/?text=true")).headers.etag;
  await server.fixture.database.transaction((trx) =>
    saveContent(trx, connection.id, nodeId(4), { markdown: "Newer", references: [], state: "ready" }),
  );
  assert.equal((await stored()).at(-1)?.markdown, "Newer");
  assert.notEqual((await owner.session.get("/export/?text=true")).headers.etag, tag);
  assert.equal(
    (await exported(owner.session)).some((line) => "text" in line),
    false,
  );
});

test("GRAPH-26: the ETag is that of the graph versions, and the same for both halves", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const connection = await owner.connect(workspace, [
    { number: 1, references: [referenceTo(2)] },
    { number: 2 },
  ]);
  const tagOf = async (query: string) => String((await owner.session.get(`/export/?${query}`)).headers.etag);
  const tag = await tagOf("format=csv&part=nodes");
  assert.equal(await tagOf("format=csv&part=edges"), tag);
  const again = await owner.session.get("/export/", { "if-none-match": tag });
  assert.deepEqual([again.status, again.text, again.headers.etag], [304, "", tag]);
  assert.equal(again.headers["cache-control"], "private, no-cache");
  await server.sync(connection, [{ number: 1 }]);
  assert.equal((await owner.session.get("/export/", { "if-none-match": tag })).status, 200);
  const head = await owner.session.call("HEAD", "/export/");
  assert.deepEqual([head.status, head.text, head.headers.etag], [200, "", await tagOf("")]);
});

test("GRAPH-26: part leaves out a half, and parameters that do not go together are named", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  await owner.connect(workspace, [
    { number: 1, references: [referenceTo(2), referenceTo(80)] },
    { number: 2 },
  ]);
  const kinds = async (query: string) =>
    (await exported(owner.session, query)).map((line) => Object.keys(line)[0]);
  assert.deepEqual(await kinds(""), ["node", "node", "edge", "end"]);
  assert.deepEqual(await kinds("?part=nodes"), ["node", "node", "end"]);
  assert.deepEqual(await kinds("?part=edges"), ["edge", "end"]);
  assert.deepEqual(await kinds("?part=broken"), ["broken", "end"]);
  for (const [query, path] of [
    ["format=csv", "?part"],
    ["format=csv&part=nodes&text=true", "?text"],
    ["format=graphml&text=true", "?text"],
    ["part=edges&text=true", "?text"],
    ["part=broken&text=true", "?text"],
    ["format=graphml&part=broken", "?part"],
    ["format=xlsx", "?format"],
    ["part=half", "?part"],
    ["limit=1", "?limit"],
  ]) {
    const { status, body } = await owner.session.get(`/export/?${query}`);
    assert.deepEqual([status, body.errors?.map((fault: Line) => fault.path)], [400, [path]], query);
  }
});

test("GRAPH-26: an export needs all three scopes, and has what the caller may read and nothing else", async (t) => {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const stranger = await server.person("stranger");
  await owner.connect(workspace, [{ number: 1, references: [referenceTo(3)] }, { number: 2 }]);
  await owner.connect(other, [{ number: 4, references: [referenceTo(1)] }]);
  await stranger.connect(workspace, [{ number: 3, text: "Secret" }]);
  const all = ["graph:search", "graph:read", "graph:neighbors"] as const;
  for (const missing of all) {
    const scopes: Scope[] = all.filter((scope) => scope !== missing);
    const token = await owner.token({ workspaceIds: [workspace], scopes });
    const { status, body } = await token.get("/export/");
    assert.deepEqual([status, body.code], [403, "insufficient_scope"], missing);
  }
  const token = await owner.token({ workspaceIds: [workspace] });
  const numbers = async (bearer: Bearer, query: string) =>
    (await exported(bearer, query)).flatMap(({ node }) =>
      node ? [Number.parseInt(node.id.slice(-4), 16)] : [],
    );
  assert.deepEqual(await numbers(token, "?text=true"), [1, 2]);
  assert.deepEqual(await numbers(owner.session, ""), [1, 2, 4]);
  assert.deepEqual(await numbers(owner.session, `?workspace_id=${other}`), [4]);
  assert.deepEqual(await numbers(stranger.session, ""), [3]);
  const refused = await token.get(`/export/?workspace_id=${other}`);
  assert.deepEqual([refused.status, refused.body.code], [403, "workspace_not_allowed"]);
  assert.deepEqual((await exported(owner.session, `?workspace_id=${other}`)).at(-1), {
    end: { nodes: 1, edges: 0 },
  });
});

/** A server that listens, with a graph that is larger than what sockets and streams hold. */
async function serveLarge(t: TestContext) {
  let passedMs = 0;
  const server = await serveGraphs(t, undefined, { monotonic: () => processorMs() + passedMs });
  const owner = await server.person("owner");
  const url = `https://example.org/${"a".repeat(8000)}`;
  const pages = Array.from({ length: 1500 }, (_, index) => ({ number: index + 1, given: { url } }));
  const connection = await owner.connect(workspace, pages);
  const base = await server.app.listen({ port: 0, host: "127.0.0.1" });
  const passSeconds = (seconds: number) => {
    passedMs += seconds * 1000;
  };
  return { server, owner, connection, base, pages, passSeconds };
}

/** Begins an export over a real connection, and reads none of it. */
function begin(
  { base }: { base: string },
  bearer: Bearer,
  path = "/api/v1/export/",
): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { authorization: `Bearer ${bearer.raw}` };
  request(base + path, { headers, agent: false }, resolve)
    .on("error", reject)
    .end();
  return promise;
}

async function readAll(stream: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of stream.setEncoding("utf8")) text += chunk;
  return text;
}

/** Waits until `probe` returns a number above zero that has not changed for a while. */
async function settled(probe: () => number): Promise<number> {
  let [last, same] = [-1, 0];
  while (same < 20) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    const now = probe();
    same = now > 0 && now === last ? same + 1 : 0;
    last = now;
  }
  return last;
}

test("GRAPH-26: a client that does not read stops the export, the others continue, and it gets the whole later", async (t) => {
  const large = await serveLarge(t);
  const token = await large.owner.token({ workspaceIds: [workspace] });
  let decoded = 0;
  const { graph } = await large.server.graphs.current(large.connection);
  const importance = graph.importance.bind(graph);
  t.mock.method(graph, "importance", (id: string) => {
    decoded += 1;
    return importance(id);
  });
  const stream = await begin(large, token);
  const waiting = await settled(() => decoded);
  assert.ok(
    waiting > 0 && waiting < large.pages.length,
    `${waiting} nodes were written for a client that reads none`,
  );
  assert.equal((await token.get("/search/?q=page&limit=1")).status, 200);
  const lines = linesOf(await readAll(stream));
  assert.deepEqual(lines.at(-1), { end: { nodes: large.pages.length, edges: 0 } });
  assert.equal(lines.length, large.pages.length + 1);
});

test("GRAPH-26: a third export of a user at a time is refused until one of the others ends", async (t) => {
  const large = await serveLarge(t);
  const token = await large.owner.token({ workspaceIds: [workspace] });
  const first = await begin(large, token);
  const second = await begin(large, large.owner.session, "/api/provider-graph/export/");
  const third = await begin(large, token);
  const problem = JSON.parse(await readAll(third));
  assert.deepEqual([third.statusCode, problem.code], [429, "rate_limited"]);
  assert.equal(third.headers["retry-after"], "10");
  const stranger = await large.server.person("stranger");
  await stranger.connect(workspace, [{ number: 1 }]);
  assert.equal((await stranger.session.get("/export/")).status, 200);
  first.destroy();
  assert.equal(linesOf(await readAll(second)).at(-1).end.nodes, large.pages.length);
  // The server learns a little later that the client has gone.
  while ((await token.get("/export/?part=edges")).status !== 200)
    await new Promise((resolve) => setTimeout(resolve, 10));
});

/** Reads a stream that must break off before its end. */
async function expectBrokenOff(stream: IncomingMessage): Promise<void> {
  const lines: string[] = [];
  stream.on("data", (chunk) => lines.push(String(chunk)));
  await assert.rejects(new Promise((resolve, reject) => stream.once("end", resolve).once("error", reject)), {
    code: "ECONNRESET",
  });
  assert.equal(lines.join("").includes('{"end"'), false);
}

test("GRAPH-26: an export is broken off after an hour, and once its token is revoked or its workspace disconnected", async (t) => {
  const large = await serveLarge(t);
  const { server, owner, connection, passSeconds } = large;
  const { database, clock } = server.fixture;
  const endings = [
    () => passSeconds(3601),
    async () => {
      await database.transaction((trx) =>
        trx
          .updateTable("service_tokens")
          .set({ revoked_at: clock() - 1 })
          .execute(),
      );
      passSeconds(2);
    },
    async () => {
      await server.disconnect(connection);
      passSeconds(2);
    },
  ];
  for (const end of endings) {
    const stream = await begin(large, await owner.token({ workspaceIds: [workspace] }));
    await end();
    await expectBrokenOff(stream);
  }
});

test("GRAPH-26: an export that fails, or that a closing server ends, is broken off", async (t) => {
  const failing: GraphServer = await serveGraphs(t);
  const owner = await failing.person("owner");
  await owner.connect(workspace, [
    { number: 1, text: "x".repeat(200_000) },
    { number: 2, text: "y" },
  ]);
  const base = await failing.app.listen({ port: 0, host: "127.0.0.1" });
  t.mock.method(JSON, "stringify", failAt(JSON.stringify, "y"));
  await expectBrokenOff(await begin({ base }, owner.session, "/api/provider-graph/export/?text=true"));
  t.mock.restoreAll();

  const large = await serveLarge(t);
  const stream = await begin(large, await large.owner.token({ workspaceIds: [workspace] }));
  large.server.exports.close();
  await expectBrokenOff(stream);
});

/** A function that fails for one argument. */
function failAt<Result>(original: (value: unknown) => Result, failing: unknown) {
  return (value: unknown) => {
    if (value === failing) throw new Error("an unexpected error");
    return original(value);
  };
}
