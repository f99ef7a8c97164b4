import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { tools } from "@clew/contract";
import { nodeId } from "../store/testing/scratch.ts";
import { stageAgent, use, workspace } from "./testing/agent-server.ts";

const text = "A license is needed.";
const ada = { id: "ada", name: null };

const pages = [
  { number: 1, given: { title: "License", createdBy: ada }, text },
  { number: 2, given: { title: "Terms" }, text },
  {
    number: 3,
    given: { title: "Other", parentId: nodeId(1), createdBy: { id: "bo", name: null } },
    text: "Else.",
  },
];

/** For each filter of `search_pages`, a value that leaves no license, and what an answer says about it. */
const none: Readonly<Record<string, readonly [value: unknown, words: string]>> = {
  type: ["database", "is a database"],
  under: [nodeId(3), "is Other [00000003] or below it"],
  updated_after: ["2000-05-06", "was last edited since 2000-05-06"],
  updated_before: ["1969-05-06", "was last edited before 1969-05-06"],
  created_after: ["6 May 2000", "was created since 2000-05-06"],
  created_before: ["100y", "was created before 19"],
  by: ["bo", 'was made or last edited by "bo"'],
  is: [["-orphan", "row"], "is not orphan and row"],
};

/** Parameters that are no filter. The agent has one workspace, in which all pages are. */
const rest = ["query", "in", "sort", "order", "limit", "skip", "detail", "max_tokens", "workspace"];

const open = (t: TestContext, options = {}) => stageAgent(t, pages, { withTexts: true, ...options });

test("GRAPH-37: search_pages that finds nothing by its filters alone says so, and how many match without them", async (t) => {
  const { agent, server, owner } = await open(t);
  const find = async (input: object) =>
    (await use(agent, "search_pages", { query: "license", ...input })).text;
  const filters = Object.keys(tools.search_pages.input.properties).filter((name) => !rest.includes(name));
  assert.deepEqual(filters.sort(), Object.keys(none).sort());
  for (const [name, [value, words]] of Object.entries(none)) {
    for (const input of [{ [name]: value }, { [name]: value, in: "text" }]) {
      const answer = await find(input);
      assert.ok(answer.startsWith(`None of the 2 pages that match "license" ${words}`), answer);
    }
    const titles = await find({ [name]: value, in: "titles" });
    assert.ok(titles.startsWith(`One page matches "license" by title, but it is none that ${words}`), titles);
  }
  assert.match(
    await find({ updated_after: "30d", type: "database" }),
    /^None of the 2 pages that match "license" is a database and was last edited since \d{4}-\d\d-\d\d\.\n/,
  );
  assert.match(await find({ updated_after: "5h" }), / since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.\n/);
  assert.match(
    await find({ query: "zzz", type: "database" }),
    /^No page matches "zzz"\. Try other words\.\n/,
  );
  assert.match(await find({ type: "database", skip: 3 }), /^No more pages match "license"\.\n/);
  const full = await use(agent, "search_pages", { query: "license", type: "database", detail: "full" });
  assert.equal(full.message.unfiltered_total, 2);

  // In another workspace.
  const elsewhere = "22222222-2222-4222-8222-222222222222";
  await owner.connect(elsewhere, [{ number: 9, given: { title: "Empty" } }]);
  const { raw } = await owner.token({ workspaceIds: [workspace, elsewhere] });
  const both = await server.agent(raw);
  const answer = await use(both, "search_pages", { query: "license", workspace: elsewhere });
  assert.match(answer.text, /^Of 2 pages that match "license", none that is in .* was found so far: /);
  const context = await use(both, "build_context", { question: "license", workspace: elsewhere });
  assert.match(context.text, /^Nothing that is in .* was found so far: /);
});

test("AGT-2: recent_changes that finds nothing names the filters that it was given", async (t) => {
  const { agent } = await open(t);
  const find = async (input: Record<string, unknown>) => (await use(agent, "recent_changes", input)).text;
  assert.match(
    await find({ since: "90d", type: "database" }),
    /^Nothing that is a database changed since 90d\.\n/,
  );
  assert.match(
    await find({ since: "0h", under: nodeId(3) }),
    /^Nothing that is Other \[00000003\] or below it changed since 0h\.\n/,
  );
});
