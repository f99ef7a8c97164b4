import "../../store/testing/repeat-transactions.ts";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { TestContext } from "node:test";
import type { GraphNode } from "@clew/graph";
import type { Provider } from "@clew/provider";
import type { ConsentChoice, TestStandIn } from "@clew/stand-in/testing";
import { pino } from "pino";
import type { AllowList } from "../../model/allow-list.ts";
import type { Connection } from "../../model/connection.ts";
import type { StoredDetail } from "../../model/node.ts";
import type { Database } from "../../store/port.ts";
import { readContent, readNodeDetail } from "../../store/queries/graph-reading.ts";
import { newLocation } from "../../store/testing/location.ts";
import { readGraph } from "../../store/testing/read-graph.ts";
import type { SyncService } from "../service.ts";
import type { SyncServices } from "../steps/open-context.ts";
import type { StorageLimits } from "../storage-limits.ts";
import { openSyncing, serveWorkspace } from "./syncing.ts";

/** A call to the provider on its way. */
export interface Call {
  readonly method: string;
  readonly path: string;
  /** The credentials that it carries. */
  readonly authorization: string;
}

/** Intercepts calls to the provider: passes a call on, changes its response, or responds itself. */
export type Intercept = (call: Call, pass: () => Promise<Response>) => Promise<Response>;

/** A folder of Markdown behind the stand-in, a database, and a sync service between them. */
export interface Workspace {
  readonly database: Database;
  readonly standIn: TestStandIn;
  /** The folder of Markdown. */
  readonly directory: string;
  readonly sync: SyncService;
  readonly provider: Provider;
  /** The calls that reached the provider's API. */
  readonly calls: Call[];
  /** The logged lines. */
  readonly logged: string[];
  /** Each publication: when it was, and what the connection said of its sync then. */
  readonly published: { readonly at: number; readonly connection: Connection }[];
  clock(): number;
  /** Lets time pass. */
  pass(milliseconds: number): void;
  /** Intercepts calls from now on. */
  intercept(by: Intercept | null): void;
  /** Calls `tell` at every wait, which takes time only on the clock. */
  onSleep(tell: () => Promise<void>): void;
  write(files: Readonly<Record<string, string>>): Promise<void>;
  remove(path: string): Promise<void>;
  /** Signs in and connects; a second time the grant is replaced. */
  connect(choice?: ConsentChoice): Promise<Connection>;
  /** Another sync service over the same database, as after a restart. */
  restart(allowed?: AllowList): SyncService;
  /** Requests a sync and waits for its end. */
  run(connectionId: number, sync?: SyncService): Promise<Connection>;
  /** Waits until the connection's sync has ended. */
  end(connectionId: number): Promise<Connection>;
  node(connectionId: number, title: string): Promise<GraphNode & StoredDetail & { markdown: string | null }>;
  /** Every resolved reference and child edge, as `from -type-> to`, by titles, sorted. */
  edges(connectionId: number): Promise<string[]>;
  titles(connectionId: number): Promise<string[]>;
}

/** Serves these files and opens what it takes to sync them. Nothing is synced yet. */
export async function createWorkspace(
  test: Pick<TestContext, "after">,
  files: Readonly<Record<string, string>>,
  options: {
    requestsPerMinute?: number;
    markdownBlockLimit?: number;
    secondLookAfter?: number;
    storage?: StorageLimits;
    /** Receives each sync that has ended. */
    onEnded?: SyncServices["onEnded"];
    /** Wraps the database that syncs write to. */
    wrapDatabase?: (database: Database) => Database;
  } = {},
): Promise<Workspace> {
  const folder = await mkdtemp(join(tmpdir(), "clew-sync-"));
  const directory = join(folder, "notes");
  await mkdir(directory);
  const write: Workspace["write"] = async (some) => {
    for (const [path, text] of Object.entries(some)) {
      await mkdir(dirname(join(directory, path)), { recursive: true });
      await writeFile(join(directory, path), text);
    }
  };
  await write(files);

  let now = Date.now();
  const clock = () => now;
  const standIn = await serveWorkspace(directory, {
    clock,
    markdownBlockLimit: options.markdownBlockLimit ?? 20_000,
  });
  let interceptor: Intercept | null = null;
  let onSleep = async () => {};
  const calls: Call[] = [];
  const published: Workspace["published"] = [];
  const logged: string[] = [];
  const { location, remove } = await newLocation();
  const syncing = await openSyncing({
    location,
    apiUrl: standIn.url,
    demoUrl: new URL("http://localhost:8420/demo/"),
    clock,
    fetch: (input, init) => {
      const authorization = new Headers(init?.headers).get("authorization") ?? "";
      const call = { method: init?.method ?? "GET", path: new URL(`${input}`).pathname, authorization };
      calls.push(call);
      const pass = () => standIn.fetch(input, init);
      if (interceptor === null) return pass();
      return Promise.race([interceptor(call, pass), abortOf(init?.signal)]);
    },
    sleep: async (milliseconds, signal) => {
      await onSleep();
      signal.throwIfAborted();
      now += milliseconds;
    },
    publish: async (id) => void published.push({ at: clock(), connection: await syncing.connection(id) }),
    log: pino({ level: "debug" }, { write: (line: string) => void logged.push(line) }),
    ...options,
  });
  const { database, sync, end } = syncing;

  test.after(async () => {
    await syncing.close();
    await standIn.close();
    await remove();
    await rm(folder, { recursive: true, force: true });
  });

  const graphByTitle = async (id: number) => {
    const { nodes, references } = await readGraph(database.read, id);
    return { nodes, references, titles: new Map(nodes.map((node) => [node.id, node.title])) };
  };

  return {
    database,
    standIn,
    directory,
    sync,
    provider: syncing.provider,
    calls,
    logged,
    published,
    clock,
    pass: (milliseconds) => {
      now += milliseconds;
    },
    intercept: (by) => {
      interceptor = by;
    },
    onSleep: (tell) => {
      onSleep = tell;
    },
    write,
    remove: (path) => rm(join(directory, path), { recursive: true }),

    connect: syncing.connect,
    restart: syncing.createService,

    async run(id, service = sync) {
      await service.request(id);
      return end(id);
    },

    end,

    async node(id, title) {
      const { nodes } = await graphByTitle(id);
      const node = nodes.find((one) => one.title === title);
      if (node === undefined) throw new Error(`No node is called ${title}`);
      const detail = await readNodeDetail(database.read, id, node.id);
      if (detail === null) throw new Error(`${title} has no detail`);
      const content = await readContent(database.read, id, node.id);
      return { ...node, ...detail, markdown: content?.markdown ?? null };
    },

    async edges(id) {
      const { nodes, references, titles } = await graphByTitle(id);
      const children = nodes.flatMap(({ title, parentId }) =>
        parentId === null ? [] : [`${titles.get(parentId) ?? "?"} -child-> ${title}`],
      );
      const others = references
        .filter(({ reference }) => titles.has(reference.targetId))
        .map(({ from, reference }) => {
          const name = reference.name === null ? reference.type : `${reference.type} ${reference.name}`;
          return `${titles.get(from)} -${name}-> ${titles.get(reference.targetId)}`;
        });
      return [...children, ...others].sort();
    },

    titles: async (id) => (await graphByTitle(id)).nodes.map(({ title }) => title).sort(),
  };
}

/** Rejects once a call is given up, as `fetch` does. */
export function abortOf(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** An answer of JSON. */
export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/json", ...headers },
  });
}

/** An answer as the provider's API gives it when it fails. */
export function apiError(status: number, code: string, headers: Record<string, string> = {}): Response {
  return json(
    { object: "error", status, code, message: "Words of the provider", request_id: "r" },
    status,
    headers,
  );
}

/** Changes the JSON of an answer. */
export async function changed(answer: Response, change: (body: Json) => unknown): Promise<Response> {
  return json(change((await answer.json()) as Json), answer.status);
}

/** JSON of the provider, whose shape a test knows. */
// biome-ignore lint/suspicious/noExplicitAny: a test changes answers whose shape it knows.
export type Json = any;
