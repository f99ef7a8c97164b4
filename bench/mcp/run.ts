import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "@clew/client";
import { writeWorkspace } from "@clew/stand-in/testing";
import { startClew } from "../../test/support/clew-process.ts";
import { createToken, signIn, waitForSync } from "../../test/support/session.ts";
import { idOf } from "../graph/workspace/workspace.ts";
import { fillDatabase } from "../http/large.ts";
import { type Agent, agentOf, type ListedTool, tokensOfTools } from "./agent.ts";
import { measureCosts } from "./costs.ts";
import { writeLongPages } from "./folder.ts";
import { compareLatency, comparisons } from "./latency.ts";
import { notionTools } from "./notion.ts";

/**
 * Measures the cost of Clew's tools for agents: tokens of the list of tools and of the answers to typical tasks, the
 * longest default answer about a large workspace, the time that a call takes beyond that of the operation over HTTP, and
 * time and answer of each tool. `npm run bench mcp costs` measures the last alone.
 */

/** Tasks about the sample workspace: the calls that an agent makes. */
const tasks: Readonly<Record<string, readonly (readonly [tool: string, input: object])[]>> = {
  "find a page and read it": [
    ["search_pages", { query: "jupiter" }],
    ["read_page", { page: ["Jupiter"] }],
  ],
  "list its backlinks": [["list_links", { page: "Jupiter", direction: "in", kinds: ["link", "mention"] }]],
  "how two pages are connected": [["find_paths", { from: "Jupiter", to: "Hōkūleʻa" }]],
  "what changed": [["recent_changes", { since: "30d" }]],
  "overview of the workspace": [["workspace_overview", {}]],
};

const aims = { list: 1600, tasks: 3300, table: 700, answer: 4000, extraMs: 1.5 } as const;

const settings = {
  LOG_LEVEL: "silent",
  RATE_LIMIT_TOKEN: "0",
  RATE_LIMIT_SESSION: "0",
  SYNC_INTERVAL: "0",
};

function row(what: string, figure: string | number, aim = ""): void {
  console.log(`| ${what} | ${figure} | ${aim} |`);
}

const pages = Number(process.env.PAGES ?? 10_000);
const folder = await mkdtemp(join(tmpdir(), "clew-bench-"));
console.log(`${cpus()[0]?.model}, Node ${process.version}\n`);
try {
  if (process.argv[2] !== "costs") {
    console.log("| measured | figure | aim |\n|---|---:|---:|");
    await measureSample(join(folder, "sample"));
    await measureLong(join(folder, "long"), Number(process.env.LONG_PAGES ?? 1_000));
    await measureLarge(join(folder, "large"), pages);
    console.log("");
  }
  await measureTools(join(folder, "tools"));
} finally {
  await rm(folder, { recursive: true });
}

/** Time and answer of each tool, about a generated workspace with texts. */
async function measureTools(dataDir: string): Promise<void> {
  const source = join(dataDir, "pages");
  await writeWorkspace(source, { seed: 1, pages });
  const clew = await startClew({ ...settings, DATA_DIR: join(dataDir, "data"), WORKSPACE_DIR: source });
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "bench");
    const { graph, costs } = await measureCosts(clew, token);
    console.log(
      `${graph}\n\n| tool | processor, ms | until the answer, ms | bytes, median | largest | tokens, median | largest |`,
    );
    console.log("|---|---:|---:|---:|---:|---:|---:|");
    for (const { tool, cpu, p50, bytes, tokens } of costs) {
      const sizes = [bytes.median, bytes.largest, tokens.median, tokens.largest];
      console.log(`| \`${tool}\` | ${cpu.toFixed(1)} | ${p50.toFixed(1)} | ${sizes.join(" | ")} |`);
    }
  } finally {
    await clew.kill();
  }
}

async function measureSample(dataDir: string): Promise<void> {
  const clew = await startClew({ ...settings, DATA_DIR: dataDir });
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "bench");
    const agent = agentOf(clew.url, token);
    const { tools } = await agent.send<{ tools: readonly ListedTool[] }>("tools/list", {});
    row(`list of ${tools.length} tools, tokens`, tokensOfTools(tools), `≤ ${aims.list}`);
    const notion = await notionTools();
    if (notion !== null)
      row(`list of ${notion.length} tools of Notion's own server, tokens`, tokensOfTools(notion));
    let sum = 0;
    for (const [task, calls] of Object.entries(tasks)) {
      let tokens = 0;
      for (const [name, input] of calls) tokens += (await agent.use(name, input)).tokens;
      row(`${task}, tokens`, tokens);
      sum += tokens;
    }
    const table = await agent.use("query_database", { database: "Stars" });
    row("a database of 21 rows as a table, tokens", table.tokens, `≤ ${aims.table}`);
    row("these tasks together, tokens", sum, `≤ ${aims.tasks}`);
  } finally {
    await clew.kill();
  }
}

/** The answers that grow with texts and with values of rows. */
async function measureLong(dataDir: string, pages: number): Promise<void> {
  const source = join(dataDir, "pages");
  await writeLongPages(source, pages);
  const clew = await startClew({ ...settings, DATA_DIR: join(dataDir, "data"), WORKSPACE_DIR: source });
  try {
    const session = await signIn(clew.url);
    await waitForSync(clew.url, session);
    const { token } = await createToken(clew.url, session, "bench");
    const client = createClient({ url: clew.url, token });
    while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(200);
    const agent = agentOf(clew.url, token);
    for (const [name, input] of [
      ["query_database", { database: "Register" }],
      ["build_context", { question: "when is the summer meeting about the telescope" }],
    ] as const) {
      const { tokens } = await agent.use(name, input);
      row(`default answer of ${name} about ${pages} long pages, tokens`, tokens, `≤ ${aims.answer}`);
    }
  } finally {
    await clew.kill();
  }
}

async function measureLarge(dataDir: string, pages: number): Promise<void> {
  await mkdir(dataDir);
  const { workspace, token } = await fillDatabase({ kind: "sqlite", path: join(dataDir, "clew.db") }, pages);
  const spread = Array.from({ length: 30 }, (_, index) => Math.floor((index * pages) / 30));
  const ids = [...workspace.hubs.slice(0, 10), ...spread].map((page) => idOf(workspace, page));
  const clew = await startClew({ ...settings, DATA_DIR: dataDir });
  try {
    const agent = agentOf(clew.url, token);
    const { tokens, call } = await longestAnswer(agent, ids);
    row(`longest default answer about ${pages} pages (${call}), tokens`, tokens, `≤ ${aims.answer}`);
    for (const comparison of comparisons) {
      const { tool, operation } = await compareLatency(clew.url, token, comparison, ids);
      const figures = `${tool.toFixed(1)} − ${operation.toFixed(1)} = ${(tool - operation).toFixed(1)}`;
      row(`${comparison.name} and its operation, p50 in ms`, figures, `≤ ${aims.extraMs}`);
    }
  } finally {
    await clew.kill();
  }
}

/** The longest answer of any tool with default parameters. */
async function longestAnswer(
  agent: Agent,
  ids: readonly string[],
): Promise<{ tokens: number; call: string }> {
  let longest = { tokens: 0, call: "" };
  const use = async (name: string, input: object) => {
    const { tokens } = await agent.use(name, input);
    if (tokens > longest.tokens) longest = { tokens, call: name };
  };
  await use("workspace_overview", {});
  for (const [index, id] of ids.entries()) {
    await use("read_page", { page: [id] });
    await use("read_page", { page: ids.slice(index, index + 5) });
    await use("list_links", { page: id });
    await use("list_links", { page: id, depth: 3 });
    await use("list_links", { page: id, excerpts: true });
    await use("find_related", { page: id });
    await use("recent_changes", { since: "90d" });
    await use("search_pages", { query: "plan of the summer" });
    await use("find_paths", { from: id, to: ids[(index * 7 + 3) % ids.length] });
    await use("workspace_overview", { page: id });
    await use("search_pages", { under: id });
    await use("build_context", { question: "plan of the summer", near: id });
  }
  return longest;
}
