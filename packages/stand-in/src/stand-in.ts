import { fileURLToPath } from "node:url";
import { idOf, openWorkspace, type Workspace } from "@clew/folder";
import { type FastifyInstance, fastify, LogController } from "fastify";
import { apiRoutes } from "./http/api.ts";
import { ApiError, asApiError } from "./http/api-error.ts";
import { answerWith, inProcessFetch } from "./http/in-process-fetch.ts";
import { createRequestContexts, type RequestContexts } from "./http/request.ts";
import { notionAddresses, siteAddresses } from "./notion/view.ts";
import { createCodes, createGrants } from "./oauth/grants.ts";
import { openState, type State } from "./oauth/state-file.ts";
import { tokenRoutes } from "./oauth/token-routes.ts";
import { createReaderCookie } from "./site/reader-cookie.ts";
import { createSite, type Site, siteRoutes } from "./site/site.ts";

/** The sample workspace: a folder of Markdown that comes with Clew. */
export const sampleDirectory = fileURLToPath(new URL("../sample", import.meta.url));

/** The log in which a stand-in names ignored files and failures. */
export interface StandInLog {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** The settings of a stand-in: the workspace and its client. */
export interface StandInOptions {
  /** The folder of Markdown. */
  readonly directory: string;
  /** The id of the workspace, from which all ids are derived; by default they are the same on every machine. */
  readonly workspaceId?: string;
  /**
   * The address at which the site is mounted, without a trailing slash; pages then have addresses there. By default the site
   * is at the root of the stand-in's own server, and pages have addresses in Notion's form.
   */
  readonly siteUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The redirect URIs that are allowed; null (the default) allows any address of this machine. */
  readonly redirectUris?: readonly string[] | null;
  /** Origins that the redirect URIs redirect to in turn. Browsers apply the form's `form-action` policy to them too. */
  readonly onwardOrigins?: readonly string[];
  /** Whether the folder is the operator's own: the consent screen then names it, and shows no people but its own. */
  readonly isOwnFolder?: boolean;
  /** The client's name on the consent screen; `Clew` by default. */
  readonly clientName?: string;
  /** CSS variables of the client's look, for the pages for browsers; by default they have the browser's colours. */
  readonly look?: string;
  /** The address at which the client's sign-in begins, which the pages link for people who have to sign in first. */
  readonly signInUrl?: string;
  /** The file that keeps grants and codes across restarts; null keeps them in memory. */
  readonly stateFile: string | null;
  /** Milliseconds since the Unix epoch. Sets the `Date` of responses, rate limits and lifetimes. */
  readonly clock: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly log?: StandInLog;
  /** Calls a minute for each grant, 180 by default; 0 for no limit. */
  readonly rateLimit?: number;
  /** The largest number of blocks in one Markdown response, 20 000 by default. */
  readonly markdownBlockLimit?: number;
  /** The largest number of rows that one query returns over all its pages, 10 000 by default. */
  readonly queryRowLimit?: number;
  /** Whether each new search reads the folder again, as it does by default. */
  readonly followFolder?: boolean;
}

/** The address at which a stand-in listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

/** A stand-in that listens on a port. */
export interface StandIn extends BuiltStandIn {
  /** Without a trailing slash. */
  readonly url: string;
}

/** A stand-in, whether or not it listens. */
interface BuiltStandIn {
  /** Calls the API without a connection. The host of the address is ignored. */
  readonly fetch: typeof globalThis.fetch;
  /** The pages for browsers. */
  readonly site: Site;
  /** The workspace as it was last read. */
  workspace(): Workspace;
  close(): Promise<void>;
}

/** Serves a folder of Markdown as a Notion workspace. Throws if the folder or the state file cannot be read. */
export async function startStandIn(options: StandInOptions & ListenOptions): Promise<StandIn> {
  const { app, standIn } = await buildStandIn(options, () => null);
  const url = await app.listen({ host: options.host, port: options.port });
  return { ...standIn, url };
}

/** The parts of a stand-in that an extension may hook into. */
export interface StandInParts {
  readonly app: FastifyInstance;
  readonly state: State;
  readonly contexts: RequestContexts;
  readonly clock: () => number;
  /** The workspace as it was last read. */
  workspace(): Workspace;
  /** Reads the folder again. */
  reload(): Promise<Workspace>;
}

/**
 * Builds a stand-in that does not listen yet. `extend` runs before any route is registered, so that its hooks apply to
 * all of them; the result holds what it returned.
 */
export async function buildStandIn<Extension>(
  options: StandInOptions,
  extend: (parts: StandInParts) => Extension,
): Promise<{ app: FastifyInstance; standIn: BuiltStandIn; extension: Extension }> {
  const { clientId, clientSecret, clock, random, log, siteUrl } = options;
  const opened = await openWorkspace(options.directory, {
    roundsTimes: true,
    workspaceId: options.workspaceId ?? null,
    clock,
    memoryFile: options.stateFile?.replace(/(?:\.json)?$/, "-pages.jsonl") ?? null,
    onWarning: ({ path, message }) => log?.warn({ path, reason: message }, "ignored a part of the folder"),
  });
  const workspace = () => opened.current();
  const reload = () => opened.reload();
  const state = await openState(options.stateFile, random);
  const grants = createGrants(state, clock, random);
  const codes = createCodes(state, clock, random);
  const contexts = createRequestContexts();
  const app = fastify({
    forceCloseConnections: true,
    // The query of an authorization request holds its state, which must not be logged.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => idOf("bot", Buffer.from(random(16)).toString("hex")),
    routerOptions: { maxParamLength: 500 },
  });
  addResponseConventions(app, clock, log);
  const extension = extend({ app, state, contexts, clock, workspace, reload });

  const basePath = siteUrl === undefined ? "" : new URL(siteUrl).pathname;
  const site = createSite({
    client: { id: clientId, redirectUris: options.redirectUris ?? null },
    clientName: options.clientName ?? "Clew",
    look: options.look ?? "",
    onwardOrigins: options.onwardOrigins ?? [],
    isOwnFolder: options.isOwnFolder ?? false,
    codes,
    sealKey: random(32),
    clock,
    basePath,
    readers: createReaderCookie({
      key: state.readerKey,
      clock,
      path: `${basePath}/pages`,
      secure: siteUrl?.startsWith("https:") ?? false,
    }),
    signInUrl: options.signInUrl ?? null,
    workspace,
  });
  await app.register(async (scope) => siteRoutes(scope, site));
  await app.register(async (scope) =>
    tokenRoutes(scope, { clientId, clientSecret, codes, grants, workspace }),
  );
  await app.register(async (scope) =>
    apiRoutes(scope, {
      workspace,
      ready: () => opened.ready(),
      reload: options.followFolder === false ? async () => workspace() : reload,
      contexts,
      grants,
      clock,
      rateLimit: options.rateLimit ?? 180,
      markdownBlockLimit: options.markdownBlockLimit ?? 20_000,
      queryRowLimit: options.queryRowLimit ?? 10_000,
      addresses: siteUrl === undefined ? notionAddresses : siteAddresses(siteUrl),
    }),
  );
  const standIn = { fetch: inProcessFetch(answerWith(app)), site, workspace, close: () => app.close() };
  return { app, standIn, extension };
}

/** Every response has a request id and a date by the stand-in's clock, and every error has the API's shape. */
function addResponseConventions(
  app: FastifyInstance,
  clock: () => number,
  log: StandInLog | undefined,
): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-notion-request-id", request.id);
  });
  app.addHook("preSerialization", async (request, _reply, payload) =>
    typeof payload === "object" ? { ...payload, request_id: request.id } : payload,
  );
  app.addHook("onSend", async (_request, reply) => {
    reply.header("date", new Date(clock()).toUTCString());
  });
  app.setErrorHandler((error, request, reply) => {
    const apiError = asApiError(error);
    if (apiError.status >= 500) log?.error({ err: error }, "failed to answer a request");
    return reply.code(apiError.status).headers(apiError.headers).send(apiError.toJson(request.id));
  });
  app.setNotFoundHandler(() => {
    throw new ApiError("invalid_request_url", "Invalid request URL.");
  });
}
