import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type ToolName, tools } from "@clew/contract";
import { setSyncProgress } from "../store/queries/connections.ts";
import { referenceTo } from "../store/testing/scratch.ts";
import { completeSync, stageAgent, use } from "./testing/agent-server.ts";

const pages = [
  { number: 1, given: { title: "Sky" }, text: "", references: [referenceTo(2), referenceTo(9)] },
  { number: 2, given: { title: "Star" }, text: "It shines." },
  { number: 3, given: { title: "Bird" }, text: "It flies." },
  { number: 6, given: { title: "Catalogue", type: "database" as const } },
];

/** Arguments with which each tool says that something was not found, or counts what was. */
const inputs: Readonly<Record<ToolName, readonly Record<string, unknown>[]>> = {
  search_pages: [
    { query: "zzz" },
    { query: "zzz", in: "text" },
    { query: "zzz", in: "titles" },
    { query: "sky", in: "titles" },
    { query: "sky", in: "titles", skip: 100 },
    { query: "flies", in: "text", skip: 100 },
    { type: "database", is: "row" },
    { is: "-row" },
    { query: "sky", under: "zzz" },
  ],
  build_context: [{ question: "zzz" }, { near: "zzz" }],
  read_page: [
    { page: "Sky" },
    { page: "Star" },
    { page: "Bird" },
    { page: "Catalogue" },
    { page: "zzz" },
    { page: "Ski" },
  ],
  list_links: [{ page: "Bird" }, { page: "Sky" }, { page: "Sky", skip: 100 }, { page: "zzz" }],
  find_related: [{ page: "Bird" }, { page: "zzz" }],
  find_paths: [
    { from: "Sky", to: "Bird" },
    { from: "Sky", to: "Star" },
    { from: "Sky", to: "zzz" },
  ],
  query_database: [{ database: "Catalogue" }, { database: "zzz" }, { database: "Bird" }],
  recent_changes: [{}, { since: "30000d" }, { under: "zzz" }],
  workspace_overview: [{}, { page: "Bird" }, { page: "zzz" }],
  search: [{ query: "zzz" }],
  fetch: [{ id: "zzz" }],
};

const absence = /\b(?:no|none|nothing|not (?:connected|shared|exist)|in all|all its|0 \w+)\b/i;
const count = /\d (?:pages?|links?|rows?)\b/;

/** The lines of an answer that are Clew's own. */
const ownLines = (text: string) => text.replaceAll(/\n(~{3,})\n[\s\S]*?\n\1(?=\n)/g, "").split("\n");

async function answersOf(t: TestContext, isWhole: boolean) {
  const stage = await stageAgent(t, pages, { isWhole, withTexts: true });
  const { server, connection } = stage;
  const { database, clock } = server.fixture;
  const progress = {
    state: "running",
    phase: "content",
    done: 1458,
    total: 3294,
    startedAt: clock(),
    finishedAt: null,
    error: null,
    outcome: null,
    waitingUntil: null,
  } as const;
  const answers = async () => {
    const lines: string[] = [];
    for (const [name, calls] of Object.entries(inputs)) {
      for (const input of calls) {
        const { text } = await use(stage.agent, name as ToolName, input);
        lines.push(...ownLines(text).map((line) => `${name} ${JSON.stringify(input)}: ${line}`));
      }
    }
    return lines;
  };
  await database.transaction((trx) => setSyncProgress(trx, connection.id, progress));
  return { stage, lines: await answers(), answers };
}

test("AGT-2: before a sync has been complete, no tool says that something is not there", async (t) => {
  const { stage, lines, answers } = await answersOf(t, false);
  const absent = lines.filter((line) => absence.test(line.slice(line.indexOf("}: "))));
  assert.deepEqual(
    absent.filter((line) => !line.includes("so far")),
    [],
  );
  assert.deepEqual(
    Object.keys(tools).filter((name) => !absent.some((line) => line.startsWith(`${name} `))),
    [],
    "the inputs above have one for each tool",
  );
  assert.ok(absent.some((line) => line.endsWith("so far: the first sync is still running (1458 of 3294).")));
  const counted = lines.filter((line) => count.test(line.slice(line.indexOf("}: "))));
  assert.deepEqual(
    counted.filter((line) => !line.includes("so far")),
    [],
  );

  await completeSync(stage.server, stage.connection);
  const after = await answers();
  assert.deepEqual(
    after.filter((line) => line.includes("so far")),
    [],
  );
});

test("AGT-2: a workspace that was read completely once says what is not there during the next sync", async (t) => {
  const { lines } = await answersOf(t, true);
  assert.deepEqual(
    lines.filter((line) => line.includes("so far")),
    [],
  );
});

test("AGT-2: a first sync that was not complete is the reason, by workspace where several are readable", async (t) => {
  const { server, owner } = await stageAgent(t, pages);
  const other = "22222222-2222-4222-8222-222222222222";
  await owner.connect(other, [{ number: 20, given: { title: "Elsewhere" } }]);
  const { raw } = await owner.token({ workspaceIds: ["11111111-1111-4111-8111-111111111111", other] });
  const agent = await server.agent(raw);
  assert.match(
    (await use(agent, "search_pages", { query: "zzz" })).text,
    /^No page that matches "zzz" was found so far: no sync of A workspace has been complete yet\./,
  );
  assert.match((await use(agent, "list_links", { page: "Bird" })).text, /^No links of this kind: Bird/);
  assert.match(
    (await use(agent, "list_links", { page: "Elsewhere" })).text,
    /^No links of this kind were found for Elsewhere \[\w+\] so far/,
  );
});
