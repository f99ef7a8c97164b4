import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient, type Node } from "@clew/client";
import type { ClewProcess } from "../../test/support/clew-process.ts";
import { cpuSeconds } from "../process-usage.ts";
import { type Agent, agentOf } from "./agent.ts";
import { median } from "./latency.ts";

/** The cost of a call of a tool. */
interface Cost {
  readonly tool: string;
  /** Milliseconds of processor time of the server and all of its threads, on average. */
  readonly cpu: number;
  /** Milliseconds until the whole response is there. */
  readonly p50: number;
  /** Sizes of the answer's text. */
  readonly bytes: Sizes;
  readonly tokens: Sizes;
}

interface Sizes {
  readonly median: number;
  readonly largest: number;
}

/** The first rounds warm up and do not count. */
const rounds = 12;
const warmUp = 4;

/**
 * Measures each tool with default parameters, about ten pages with the most links and twenty ordinary ones. One client asks,
 * one call after the other. Returns the size of the graph too.
 */
export async function measureCosts(
  { url, pid }: Pick<ClewProcess, "url" | "pid">,
  token: string,
): Promise<{ graph: string; costs: Cost[] }> {
  const client = createClient({ url, token });
  while ((await client.searchTexts({ q: "text", limit: 1 })).indexed < 1) await sleep(200);
  const [workspace] = (await client.listWorkspaces()).items;
  const { items: databases } = await client.searchPages({ type: "database", sort: "degree", limit: 20 });
  const inputs = inputsOf(
    await somePages(client),
    databases.map(({ node }) => node),
  );
  const agent = agentOf(url, token);
  const costs: Cost[] = [];
  for (const [tool, calls] of Object.entries(inputs)) costs.push(await costOf(agent, pid, tool, calls));
  return { graph: `${workspace?.nodes} pages and databases with ${workspace?.edges} edges`, costs };
}

async function somePages(client: Client): Promise<readonly Node[]> {
  const { items: hubs } = await client.searchPages({ type: "page", sort: "degree", limit: 10 });
  const { items: others } = await client.searchPages({ type: "page", sort: "title", limit: 100 });
  return [...hubs, ...others.filter((_, index) => index % 5 === 0)].map(({ node }) => node);
}

/** The calls of each tool. Questions are made of words of titles. */
function inputsOf(
  pages: readonly Node[],
  databases: readonly Node[],
): Readonly<Record<string, readonly object[]>> {
  const questions = pages.map(({ title }) => `who wrote about ${title.split(" ").slice(0, 3).join(" ")}`);
  const other = (index: number) => pages[(index * 7 + 3) % pages.length]?.id;
  return {
    search_pages: questions.map((query) => ({ query })),
    build_context: questions.map((question) => ({ question })),
    read_page: pages.map(({ id }) => ({ page: [id] })),
    list_links: pages.map(({ id }) => ({ page: id })),
    find_related: pages.map(({ id }) => ({ page: id })),
    find_paths: pages.map(({ id }, index) => ({ from: id, to: other(index) })),
    query_database: databases.map(({ id }) => ({ database: id })),
    recent_changes: ["90d", "30d", "7d", "2d", "24h"].map((since) => ({ since })),
    workspace_overview: [{}, ...pages.map(({ id }) => ({ page: id }))],
  };
}

async function costOf(agent: Agent, pid: number, tool: string, calls: readonly object[]): Promise<Cost> {
  const times: number[] = [];
  const bytes: number[] = [];
  const tokens: number[] = [];
  let cpuBefore = Number.NaN;
  for (let round = 0; round < rounds; round += 1) {
    if (round === warmUp) cpuBefore = cpuSeconds(pid);
    for (const input of calls) {
      const began = performance.now();
      await agent.send("tools/call", { name: tool, arguments: input });
      if (round >= warmUp) times.push(performance.now() - began);
    }
  }
  const cpu = ((cpuSeconds(pid) - cpuBefore) * 1000) / times.length;
  for (const input of calls) {
    const answer = await agent.use(tool, input);
    bytes.push(Buffer.byteLength(answer.text));
    tokens.push(answer.tokens);
  }
  return {
    tool,
    cpu,
    p50: median(times),
    bytes: { median: median(bytes), largest: Math.max(...bytes) },
    tokens: { median: median(tokens), largest: Math.max(...tokens) },
  };
}
