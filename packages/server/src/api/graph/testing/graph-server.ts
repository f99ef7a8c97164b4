import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import type { Scope } from "@clew/contract";
import type { Reference } from "@clew/graph";
import { pageOfUrl } from "@clew/notion";
import type { ActivityLog } from "../../../activity/activity-log.ts";
import { limitToSource } from "../../../auth/gate.ts";
import type { OpenedSession } from "../../../auth/sessions.ts";
import { type AuthFixture, createAuthFixture } from "../../../auth/testing/auth-fixture.ts";
import type { RefusedUse } from "../../../auth/token-use.ts";
import { GivenCursors } from "../../../graphs/given-cursors.ts";
import { Graphs } from "../../../graphs/graphs.ts";
import type { Limits } from "../../../http/limits/rate-limits.ts";
import type { App } from "../../../http/server.ts";
import type { Connection } from "../../../model/connection.ts";
import { generousMs, generousQueries, processorMs } from "../../../model/testing/deadlines.ts";
import { createExportStreams, type ExportStreams } from "../../../operations/export-streams.ts";
import { LinkMaps } from "../../../operations/link-maps.ts";
import { createQueryServices, type QueryServices } from "../../../operations/request-context.ts";
import { Sources } from "../../../providers/sources.ts";
import { QueryThreads } from "../../../queries/query-threads.ts";
import { findConnection, upsertConnection } from "../../../store/queries/connections.ts";
import { removeNodes, saveContents, upsertNodes } from "../../../store/queries/graph-pages.ts";
import { readGraph } from "../../../store/testing/read-graph.ts";
import { nodeId, page } from "../../../store/testing/scratch.ts";
import { TextIndex } from "../../../texts/text-index.ts";
import { type Answer, serveRoutes } from "../../testing/route-server.ts";
import { graphRoutes } from "../routes.ts";

/** A client with credentials of one of the APIs. */
export interface Bearer {
  /** The client's token. */
  readonly raw: string;
  /** Calls a path below the API's prefix, or a path from a `Link`. */
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  call(method: Method, path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

type Method = "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | "OPTIONS";

/** A page, identified by a number, with the references of its properties and its text. */
export interface SeededPage {
  readonly number: number;
  readonly given?: Parameters<typeof page>[1];
  readonly references?: readonly Reference[];
  readonly text?: string;
  readonly textReferences?: readonly Reference[];
}

/** A user who is signed in. */
export interface Person {
  readonly userId: string;
  /** The session's tokens. */
  readonly tokens: OpenedSession;
  readonly session: Bearer;
  /** The session at the paths of one source, `notion`. */
  readonly atNotion: Bearer;
  /** A service token, by default with every scope. */
  token(wanted: { workspaceIds: readonly string[]; scopes?: readonly Scope[] }): Promise<Bearer>;
  /** Connects the user to a workspace with these pages, of `notion` unless another source is given, and publishes them. */
  connect(workspaceId: string, pages?: readonly SeededPage[], provider?: string): Promise<Connection>;
}

export interface GraphServer {
  readonly app: App;
  readonly fixture: AuthFixture;
  readonly graphs: Graphs;
  readonly exports: ExportStreams;
  readonly texts: TextIndex;
  readonly givenCursors: GivenCursors;
  /** Every line that was logged. */
  readonly logged: readonly string[];
  /** Flushes the refused uses of tokens. */
  flush(): Promise<void>;
  person(name: string): Promise<Person>;
  /** Syncs a connection, which contains only these pages from then on. */
  sync(connection: Connection, pages: readonly SeededPage[]): Promise<void>;
  disconnect(connection: Connection): Promise<void>;
}

/** Additional routes under test. */
type MoreRoutes = (
  app: App,
  base: {
    readonly fixture: AuthFixture;
    readonly graphs: Graphs;
    readonly limits: Limits;
    readonly refusedUse: RefusedUse;
    readonly activity: ActivityLog;
    /** The services of V1. */
    readonly v1: QueryServices;
  },
) => Promise<void>;

interface GraphServerOptions {
  readonly tokenQuota?: number;
  /** Whether texts are searched: that takes a thread. */
  readonly withTexts?: boolean;
  readonly activityDays?: number;
  /** The clock of walks, waits and exports; by default one that waits do not advance. */
  readonly monotonic?: () => number;
}

/** Both APIs behind the gate, on a real database. */
export async function serveGraphs(
  t: Pick<TestContext, "after">,
  more: MoreRoutes = async () => {},
  { tokenQuota = 0, withTexts = false, activityDays = 30, monotonic = processorMs }: GraphServerOptions = {},
): Promise<GraphServer> {
  const fixture = await createAuthFixture(t);
  const { database, secrets, clock } = fixture;
  const logged: string[] = [];
  const write = (_about: unknown, message?: string) => void logged.push(message ?? "");
  const texts = new TextIndex({ database, log: { warn: write, error: write } });
  const queryThreads = new QueryThreads({
    location: database.location,
    maxThreads: 1,
    onError: (error) => logged.push(String(error)),
    ...generousQueries,
  });
  const linkMaps = new LinkMaps({
    database,
    onError: (error) => logged.push(String(error)),
    waitMs: generousMs,
  });
  const graphs = new Graphs({
    database,
    clock,
    ...(withTexts ? { texts } : {}),
    onDropped: () => queryThreads.retain((id, graph) => graphs.holds(id, graph)),
  });
  fixture.atEnd(async () => {
    await Promise.all([texts.close(), queryThreads.close(), linkMaps.close()]);
  });
  const givenCursors = new GivenCursors(clock);
  const exports = createExportStreams();
  const services = {
    database,
    secrets,
    graphs,
    exports,
    queryThreads,
    editTimes: { editsAsOf: ({ completeAsOf }: Connection) => completeAsOf },
    linkMaps,
    givenCursors,
    clock,
    monotonic,
    build: { version: "1.2.3", commit: "0".repeat(40) },
    sources: new Sources({
      slug: "notion",
      pageOfUrl: (url: string) => pageOfUrl(url),
      product: "Notion",
      hasTags: false,
    }),
    config: { ...fixture.config, withdrawnGrace: 7 * 86_400_000 },
  };
  let flush = async () => {};
  const app = await serveRoutes({
    fixture,
    logged,
    tokenQuota,
    activityDays,
    routes: async (scope, { limits, refusedUse, activity }) => {
      flush = refusedUse.flush;
      const v1 = createQueryServices(services, "v1");
      await scope.register((below) => graphRoutes(below, v1), { prefix: prefixes.v1 });
      const session = createQueryServices(services, "session");
      await scope.register((below) => graphRoutes(below, session), { prefix: prefixes.session });
      await scope.register(
        async (limited) => {
          limitToSource(limited, "notion");
          await limited.register((below) => graphRoutes(below, session));
        },
        { prefix: prefixes.notion },
      );
      await more(scope, { fixture, graphs, limits, refusedUse, activity, v1 });
    },
  });

  async function sync({ id }: Connection, pages: readonly SeededPage[]): Promise<void> {
    await database.transaction(async (trx) => {
      const nodes = pages.map(({ number, given, references = [] }) =>
        page(number, { propertyReferences: references, ...given }),
      );
      const gone = new Set((await readGraph(trx, id)).nodes.map((node) => node.id));
      for (const node of nodes) gone.delete(node.id);
      await upsertNodes(trx, id, nodes);
      await removeNodes(trx, id, [...gone], clock());
      const texts = pages.flatMap(({ number, text: markdown, textReferences: references = [] }) =>
        markdown === undefined ? [] : [[nodeId(number), { markdown, references, state: "ready" }] as const],
      );
      await saveContents(trx, id, new Map(texts));
    });
    // A first publication does not wait for the index.
    if (withTexts) await texts.update(id);
    await graphs.publish(id);
  }

  async function person(name: string): Promise<Person> {
    const { id: userId } = await fixture.signUp(name);
    const tokens = await fixture.signIn(userId);
    return {
      userId,
      tokens,
      session: bearerOf(app, logged, prefixes.session, tokens.access),
      atNotion: bearerOf(app, logged, prefixes.notion, tokens.access),
      async token(wanted) {
        const { raw } = await fixture.serviceToken(userId, wanted);
        return bearerOf(app, logged, prefixes.v1, raw);
      },
      async connect(workspaceId, pages = [], provider = "notion") {
        const grant = {
          userId,
          workspaceId,
          name: "A workspace",
          icon: null,
          provider,
          grantId: "grant",
        };
        const tokens = { accessToken: Uint8Array.of(1), refreshToken: null };
        const connection = await database.transaction((trx) =>
          upsertConnection(trx, { ...grant, ...tokens }, clock()),
        );
        if (pages.length > 0) await sync(connection, pages);
        return (await findConnection(database.read, connection.id)) ?? connection;
      },
    };
  }

  return {
    app,
    fixture,
    graphs,
    exports,
    texts,
    givenCursors,
    logged,
    flush: () => flush(),
    person,
    sync,
    disconnect: async ({ id }) => {
      await database.transaction((trx) => trx.deleteFrom("connections").where("id", "=", id).execute());
    },
  };
}

const prefixes = { v1: "/api/v1", session: "/api/provider-graph", notion: "/api/notion-graph" } as const;

function bearerOf(app: App, logged: readonly string[], audience: string, credentials: string): Bearer {
  const call: Bearer["call"] = async (method, path, headers = {}) => {
    const answer = await app.inject({
      method,
      url: path.startsWith(audience) ? path : audience + path,
      headers: { ...headers, authorization: `Bearer ${credentials}` },
    });
    // No test expects an internal error: two equal ones must not pass as two equal responses.
    if (answer.statusCode >= 500) throw new Error(`${method} ${path}: ${logged.slice(-2).join("")}`);
    const isJson = /\bjson\b/.test(String(answer.headers["content-type"])) && answer.body !== "";
    return {
      status: answer.statusCode,
      headers: answer.headers,
      text: answer.body,
      body: isJson ? answer.json() : undefined,
    };
  };
  return { raw: credentials, call, get: (path, headers) => call("GET", path, headers) };
}

/** All items of a list from this page on, following its links, and the number of pages. */
export async function followList<Item = unknown>(
  bearer: Bearer,
  first: string,
): Promise<{ items: Item[]; pages: number }> {
  const items: Item[] = [];
  let next = first;
  for (let pages = 1; pages <= 1000; pages += 1) {
    const answer = await bearer.get(next);
    assert.equal(answer.status, 200, answer.text);
    items.push(...answer.body.items);
    if (answer.body.next_cursor === null) {
      assert.equal(answer.headers.link, undefined);
      return { items, pages };
    }
    next = nextOf(answer);
    assert.equal(new URL(next, "http://host").searchParams.get("cursor"), answer.body.next_cursor);
  }
  throw new Error(`the list that begins at ${first} does not end`);
}

/** The path in the `Link` to the next page; fails without one. */
export function nextOf({ headers }: Answer): string {
  const path = /^<([^>]+)>; rel="next"$/.exec(String(headers.link))?.[1];
  if (path === undefined) throw new Error(`no next page in the Link ${headers.link}`);
  return path;
}
