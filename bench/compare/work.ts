import { createClient } from "@clew/client";
import type { ClewProcess } from "../../test/support/clew-process.ts";
import { clientOf, createToken, type SignIn, waitForSync } from "../../test/support/session.ts";
import { measure } from "../http/load.ts";
import { sampleRows } from "../http/targets.ts";
import { agentOf } from "../mcp/agent.ts";
import { cpuSeconds } from "../process-usage.ts";

/** A server with the work that is measured on it. */
export interface Subject {
  readonly clew: ClewProcess;
  /** Each does its work, and returns the server's processor time for one unit of it in microseconds. */
  readonly works: Readonly<Record<string, () => Promise<number>>>;
}

const load = { connections: 16, seconds: Number(process.env.SECONDS ?? 2) };

/** Syncs in a measurement. */
const syncs = 4;

/** Requests for operations of V1, by one token. */
export async function httpWorks(clew: ClewProcess, session: SignIn): Promise<Subject["works"]> {
  const rows = await sampleRows(clew.url, session);
  return Object.fromEntries(
    rows.map(({ operation, asked, urls, token }) => [
      `http ${operation}, ${asked}`,
      async () => (await measure({ urls, token, pid: clew.pid }, load)).cpuMicros,
    ]),
  );
}

/** Asked in turn: a thread keeps what it has gathered for the last one. */
const questions = [
  "Who found the moons of Jupiter? Galileo, telescope",
  "How do people find north at night? Polaris, Pole Star",
];

/** Calls of tools, one after another, for as long as a measurement takes: a few calls would measure code that is not compiled. */
export async function mcpWorks(clew: ClewProcess, session: SignIn): Promise<Subject["works"]> {
  await waitForSync(clew.url, session);
  const { token } = await createToken(clew.url, session, "bench");
  const agent = agentOf(clew.url, token);
  const { items } = await createClient({ url: clew.url, token }).searchPages({ limit: 30 });
  const ids = items.map(({ node }) => node.id);
  const inputs: Readonly<Record<string, (id: string, other: string) => object>> = {
    search_pages: () => ({ query: "moon" }),
    build_context: (page) => ({ question: questions[ids.indexOf(page) % questions.length] }),
    read_page: (page) => ({ page }),
    list_links: (page) => ({ page }),
    find_paths: (from, to) => ({ from, to }),
    query_database: () => ({ database: "Stars" }),
  };
  const work = (name: string, input: (id: string, other: string) => object) => async () => {
    const before = cpuSeconds(clew.pid);
    const end = performance.now() + load.seconds * 1000;
    let calls = 0;
    for (; performance.now() < end; calls += 1) {
      const [id = "", other = ""] = [ids[calls % ids.length], ids[(calls * 7 + 3) % ids.length]];
      await agent.send("tools/call", { name, arguments: input(id, other) });
    }
    return ((cpuSeconds(clew.pid) - before) * 1e6) / calls;
  };
  return Object.fromEntries(
    Object.entries(inputs).map(([name, input]) => [`mcp ${name}`, work(name, input)]),
  );
}

/** Syncs of the workspace, in which nothing changed, and in which all is read again. */
export async function syncWorks(clew: ClewProcess, session: SignIn): Promise<Subject["works"]> {
  const [workspace] = await waitForSync(clew.url, session);
  const client = clientOf(clew.url, session);
  const work = (full: boolean) => async () => {
    const before = cpuSeconds(clew.pid);
    for (let sync = 0; sync < syncs; sync += 1) {
      await client.startSync({ id: workspace?.id ?? "", full });
      await waitForSync(clew.url, session);
    }
    return ((cpuSeconds(clew.pid) - before) * 1e6) / syncs;
  };
  return { "sync, nothing changed": work(false), "sync, full": work(true) };
}
