import assert from "node:assert/strict";
import { test } from "node:test";
import { isToolName, type ToolName, tools } from "@clew/contract";
import { nodeId, referenceTo } from "../store/testing/scratch.ts";
import { stageAgent, use } from "./testing/agent-server.ts";

const pages = [
  { number: 1, given: { title: "Sky" }, text: "Look *up*.", references: [referenceTo(2)] },
  { number: 2, given: { title: "Star" }, references: [referenceTo(1)] },
  { number: 3, given: { title: "Catalogue", type: "database" as const } },
];

/** Valid values of the required parameters of tools and prompts. */
const values: Readonly<Record<string, unknown>> = {
  query: "star",
  question: "star",
  topic: "star",
  page: [nodeId(1)],
  from: nodeId(1),
  to: nodeId(2),
  database: nodeId(3),
  since: "2026-01-01",
};

function requiredInput(name: ToolName): Record<string, unknown> {
  // It takes a question, a page or both, so neither is required alone.
  if (name === "build_context") return { question: "star" };
  const { required = [] }: { required?: readonly string[] | undefined } = tools[name].input;
  return Object.fromEntries(
    required.map((field) => [field, values[field] ?? assert.fail(`${name}: ${field}`)]),
  );
}

for (const era of ["2025", "2026"] as const) {
  test(`AGT-5: the official client lists and uses everything that Clew offers, in the era of ${era}`, async (t) => {
    const { server, token } = await stageAgent(t, pages);
    const agent = await server.agent(token.raw, { era });

    const listed = (await agent.listTools()).tools.map(({ name }) => name).filter(isToolName);
    assert.ok(listed.length >= 5);
    for (const name of listed) {
      const { isError, text } = await use(agent, name, requiredInput(name));
      assert.equal(isError, false, `${name}: ${text}`);
    }
    const mistake = await use(agent, "read_page", { page: "Cataloge" });
    assert.deepEqual(
      [mistake.isError, /Nearest titles: Catalogue/.test(mistake.text)],
      [true, true],
      mistake.text,
    );
    const { text: neither } = await use(agent, "build_context", {});
    assert.match(neither, /^- question must be given unless near is$/m);
    await assert.rejects(agent.callTool({ name: "bake" }), { code: -32602 });

    const { prompts } = await agent.listPrompts();
    assert.ok(prompts.length >= 2);
    for (const { name, arguments: fields = [] } of prompts) {
      const given = Object.fromEntries(fields.map((field) => [field.name, String(values[field.name])]));
      const { messages } = await agent.getPrompt({ name, arguments: given });
      assert.ok(messages.length > 0, name);
    }

    const { resources } = await agent.listResources();
    assert.equal(resources.length, pages.length);
    const { resourceTemplates } = await agent.listResourceTemplates();
    assert.equal(resourceTemplates.length, 1);
    const { contents } = await agent.readResource({ uri: "clew://page/Sky" });
    assert.match(contents[0] !== undefined && "text" in contents[0] ? contents[0].text : "", /Look \*up\*/);
    const ref = { type: "ref/resource", uri: "clew://page/{page}" } as const;
    const { completion } = await agent.complete({ ref, argument: { name: "page", value: "st" } });
    assert.deepEqual(completion.values, ["Star"]);
  });
}
