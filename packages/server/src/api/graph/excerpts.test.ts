import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Edge, Neighbors } from "@clew/contract";
import { nodeId, referenceTo } from "../../store/testing/scratch.ts";
import { serveGraphs } from "./testing/graph-server.ts";

const workspace = "11111111-1111-4111-8111-111111111111";
const target = `https://www.notion.so/${nodeId(2).replaceAll("-", "")}`;
const link = (name: string) => `[${name}](${target})`;

/** The code points before each link of a text. */
const offsetsIn = (text: string) =>
  [...text.matchAll(/\[\w+\]\(/g)].map(({ index }) => [...text.slice(0, index)].length);

async function setUp(t: TestContext, text: string) {
  const server = await serveGraphs(t);
  const owner = await server.person("owner");
  const offsets = offsetsIn(text);
  const textReferences = [referenceTo(2, { count: offsets.length, offsets: offsets.slice(0, 3) })];
  await owner.connect(workspace, [
    { number: 1, text, textReferences },
    {
      number: 2,
      given: { parentId: nodeId(1) },
      references: [referenceTo(1, { type: "relation", name: "Of" })],
    },
  ]);
  const token = await owner.token({ workspaceIds: [workspace] });
  const edges = async (path: string): Promise<Edge[]> => {
    const { status, body, text: answer } = await token.get(path);
    assert.equal(status, 200, answer);
    return "paths" in body
      ? body.paths.flatMap((one: { edges: Edge[] }) => one.edges)
      : body.items.flatMap((item: Neighbors["items"][number]) => item.edges);
  };
  const excerpts = async (path: string) => (await edges(path)).find(({ type }) => type === "link")?.excerpts;
  return { owner, token, edges, excerpts };
}

const near = `/nodes/${nodeId(2)}/neighbors/`;
const text = `🧵 A first sentence. It leads to ${link("two")} and on. A third.\n\n- An item with ${link("two")}\n- Another\n`;

test("GRAPH-24: links come with the sentence or item around them", async (t) => {
  const { edges, excerpts } = await setUp(t, text);
  const expected = [
    {
      offset: [...text.slice(0, text.indexOf("It leads"))].length,
      text: "It leads to two and on.",
      marks: [[12, 15]],
    },
    {
      offset: [...text.slice(0, text.indexOf("An item"))].length,
      text: "An item with two",
      marks: [[13, 16]],
    },
  ];
  assert.deepEqual(
    (await excerpts(`${near}?excerpts=true`))?.map((one) => ({ ...one, text: one.text.trim() })),
    expected,
  );
  const path = `/paths/?from=${nodeId(1)}&to=${nodeId(2)}&edge_type=link`;
  assert.deepEqual(await excerpts(`${path}&excerpts=true`), await excerpts(`${near}?excerpts=true`));
  for (const edge of await edges(`${near}?excerpts=true`))
    if (edge.type !== "link") assert.deepEqual(edge.excerpts, [], edge.type);
  for (const edge of [...(await edges(near)), ...(await edges(`${path}&excerpts=false`))])
    assert.ok(!("excerpts" in edge));
});

test("GRAPH-24: the excerpts of a large text are those of its lines", async (t) => {
  const filler = `${"🧵 Nothing to see here. ".repeat(40)}\n`.repeat(100);
  const { excerpts } = await setUp(t, `${filler}${text}${filler}`);
  const before = [...filler].length;
  const [first, second] = (await excerpts(`${near}?excerpts=true`)) ?? [];
  assert.equal(first?.text.trim(), "It leads to two and on.");
  assert.equal(first?.offset, before + [...text.slice(0, text.indexOf("It leads"))].length);
  assert.match(second?.text ?? "", /An item with two/);
});

test("GRAPH-24: at most three excerpts of at most 200 characters", async (t) => {
  const many = Array.from(
    { length: 5 },
    (_, at) => `Sentence ${at} ${"word ".repeat(100)} ${link("two")}.`,
  ).join(" ");
  const { excerpts } = await setUp(t, many);
  const found = (await excerpts(`${near}?excerpts=true`)) ?? [];
  assert.equal(found.length, 3);
  for (const one of found) assert.ok([...one.text].length <= 200);
});

test("GRAPH-24: links in the same sentence are marks in one excerpt", async (t) => {
  const { excerpts } = await setUp(t, `From ${link("here")} to ${link("there")}. Then ${link("on")}.`);
  assert.deepEqual(
    (await excerpts(`${near}?excerpts=true`))?.map((one) => [one.text.trim(), one.marks]),
    [
      [
        "From here to there.",
        [
          [5, 9],
          [13, 18],
        ],
      ],
      ["Then on.", [[5, 7]]],
    ],
  );
});

test("GRAPH-24: excerpts need graph:read as well", async (t) => {
  const { owner } = await setUp(t, text);
  const token = await owner.token({ workspaceIds: [workspace], scopes: ["graph:neighbors"] });
  assert.equal((await token.get(near)).status, 200);
  const { status, body } = await token.get(`${near}?excerpts=true`);
  assert.deepEqual([status, body.code], [403, "insufficient_scope"]);
});
