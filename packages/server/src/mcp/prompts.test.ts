import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Scope } from "@clew/contract";
import { nodeId, referenceTo } from "../store/testing/scratch.ts";
import { stageAgent, workspace } from "./testing/agent-server.ts";

const pages = [
  { number: 1, given: { title: "Sky" }, text: "Look *up*.", references: [referenceTo(2)] },
  { number: 2, given: { title: "Star" } },
  { number: 3, given: { title: "Star", parentId: nodeId(1) } },
];

const open = (t: TestContext, scopes?: readonly Scope[]) => stageAgent(t, pages, scopes && { scopes });

test("AGT-6: prompts ask for tools that the token allows", async (t) => {
  const { agent, server, owner } = await open(t);
  const { prompts } = await agent.listPrompts();
  for (const { name, title, arguments: fields = [] } of prompts) {
    assert.ok(title, name);
    const given = Object.fromEntries(fields.map((field) => [field.name, `the "${field.name}" page`]));
    const { messages } = await agent.getPrompt({ name, arguments: given });
    const [{ content } = assert.fail()] = messages;
    assert.ok(content.type === "text");
    for (const value of Object.values(given))
      assert.ok(content.text.includes(JSON.stringify(value)), content.text);
    const named = [...content.text.matchAll(/\b[a-z]+_[a-z]+\b/g)].map(([tool]) => tool);
    const listed = (await agent.listTools()).tools.map((tool) => tool.name);
    assert.deepEqual(
      named.filter((tool) => !listed.includes(tool)),
      [],
    );
    await assert.rejects(agent.getPrompt({ name, arguments: {} }), { code: -32602 });
  }
  await assert.rejects(agent.getPrompt({ name: "toString" }), { code: -32602 });
  const { raw } = await owner.token({ workspaceIds: [workspace], scopes: ["graph:neighbors"] });
  const walker = await server.agent(raw);
  assert.deepEqual(
    (await walker.listPrompts()).prompts.map(({ name }) => name),
    ["how_related"],
  );
});

test("AGT-6: pages are resources, by whatever names a page", async (t) => {
  const { agent } = await open(t);
  const { resources } = await agent.listResources();
  assert.deepEqual(
    resources.map(({ uri }) => uri).toSorted(),
    [1, 2, 3].map((number) => `clew://page/${nodeId(number)}`),
  );
  const [template] = (await agent.listResourceTemplates()).resourceTemplates;
  assert.equal(template?.uriTemplate, "clew://page/{page}");
  for (const page of [nodeId(1), "Sky", "sky", nodeId(1).slice(-8), "Sky%20%5B00000001%5D"]) {
    const { contents } = await agent.readResource({ uri: `clew://page/${page}` });
    const [{ mimeType, ...rest } = assert.fail()] = contents;
    assert.equal(mimeType, "text/markdown");
    assert.match("text" in rest ? rest.text : "", /^# Sky\n[\s\S]*\nLook \*up\*\.$/);
  }
  for (const uri of [
    "clew://page/Star",
    "clew://page/nothing",
    "clew://page/%",
    "clew://page/",
    "https://example.com/",
  ])
    await assert.rejects(agent.readResource({ uri }), /./, uri);
});

test("AGT-6: titles are completed, with the short id where several pages have one", async (t) => {
  const { agent } = await open(t);
  const ref = { type: "ref/resource", uri: "clew://page/{page}" } as const;
  const complete = async (value: string) =>
    (await agent.complete({ ref, argument: { name: "page", value } })).completion.values;
  assert.deepEqual(await complete("sk"), ["Sky"]);
  const stars = await complete("sta");
  assert.deepEqual(stars.toSorted(), ["Star [00000002]", "Star [00000003]"]);
  for (const value of [...stars, "Sky"]) {
    const uri = `clew://page/${encodeURIComponent(value)}`;
    assert.equal((await agent.readResource({ uri })).contents.length, 1);
  }
  assert.deepEqual(await complete(""), []);
  const prompt = { type: "ref/prompt", name: "how_related" } as const;
  const { completion } = await agent.complete({ ref: prompt, argument: { name: "from", value: "sk" } });
  assert.deepEqual(completion.values, ["Sky"]);
});

test("AGT-6: without a scope, nothing that needs it is advertised or answered", async (t) => {
  const { server, owner } = await open(t);
  for (const [scopes, expected] of [
    [["graph:search"], ["completions", "tools"]],
    [["graph:read"], ["resources", "tools"]],
    [["graph:neighbors"], ["prompts", "tools"]],
    [
      ["graph:search", "graph:read", "graph:neighbors"],
      ["completions", "prompts", "resources", "tools"],
    ],
  ] as const) {
    for (const era of ["2025", "2026"] as const) {
      const { raw } = await owner.token({ workspaceIds: [workspace], scopes });
      const agent = await server.agent(raw, { era });
      assert.deepEqual(Object.keys(agent.getServerCapabilities() ?? {}).toSorted(), expected);
    }
  }
  const { raw } = await owner.token({ workspaceIds: [workspace], scopes: ["graph:search"] });
  const call = {
    jsonrpc: "2.0",
    id: 1,
    method: "resources/read",
    params: { uri: `clew://page/${nodeId(1)}` },
  };
  const answer = await server.post(call, { authorization: `Bearer ${raw}` });
  assert.equal(((await answer.json()) as { error: { code: number } }).error.code, -32601);
  const reader = await owner.token({ workspaceIds: [workspace], scopes: ["graph:read"] });
  assert.deepEqual((await (await server.agent(reader.raw)).listResources()).resources, []);
});
