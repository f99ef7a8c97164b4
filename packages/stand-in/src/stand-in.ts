import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type FastifyInstance, type FastifyRequest, fastify, LogController } from "fastify";
import { createFaults, type Faults } from "./faults/faults.ts";
import { injectFaults } from "./faults/inject.ts";
import { ApiError } from "./http/api-error.ts";
import type { Callers } from "./http/callers.ts";
import { asApiError } from "./http/error-answer.ts";
import { inProcessFetch } from "./http/in-process-fetch.ts";
import { logRequests, type RecordedRequest } from "./http/request-log.ts";
import { apiRoutes } from "./http/server.ts";
import { notionAddresses, siteAddresses } from "./notion/urls.ts";
import { createCodes } from "./oauth/codes.ts";
import { createGrants } from "./oauth/grants.ts";
import { openState } from "./oauth/state-file.ts";
import { tokenRoutes } from "./oauth/token-routes.ts";
import type { ListenOptions, StandInOptions } from "./options.ts";
import { siteRoutes } from "./site/routes.ts";
import { createSite, type Site } from "./site/site.ts";
import {
  completeEvent,
  sendVerificationToken,
  sendWebhook,
  type WebhookEvent,
} from "./webhooks/send-webhook.ts";
import { idOf } from "./workspace/ids.ts";
import { openWorkspace } from "./workspace/open.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** The folder of Markdown that comes with Clew. */
export const sampleDirectory = fileURLToPath(new URL("../sample", import.meta.url));

/** A stand-in inside of another program: it opens no port. */
export interface EmbeddedStandIn {
  /** Calls its API, whatever the host of the address. */
  readonly fetch: typeof globalThis.fetch;
  /** What people open in a browser, to be mounted at `siteUrl`. */
  readonly site: Site;
  /** The workspace as it was last read. */
  workspace(): Workspace;
  /** Reads the folder again; a search does so by itself when it begins. */
  reload(): Promise<Workspace>;
  /** What goes wrong on purpose; nothing at first. */
  readonly faults: Faults;
  /** How many calls there were so far, by method and route: `GET /v1/pages/:page_id`. */
  calls(): Readonly<Record<string, number>>;
  /** Every request so far, where `recordRequests` asks for it. */
  requests(): readonly RecordedRequest[];
  /** Counts and records from nothing. */
  resetCalls(): void;
  /** Changes what a grant shares: entries of any depth, each with all below it. `bot` is its id or an access token. */
  share(bot: string, sharedIds: readonly string[]): Promise<void>;
  /** Ends a grant with all its tokens. */
  withdraw(bot: string): Promise<void>;
  /** Ends all access tokens; refresh tokens stay good. */
  expireAccessTokens(): Promise<void>;
  /** Posts an event to a webhook's receiver, signed. Answers with its status; throws where it has none. */
  sendWebhook(url: string, verificationToken: string, event: WebhookEvent): Promise<number>;
  /** Posts the message that begins a webhook's subscription. */
  sendVerificationToken(url: string, verificationToken: string): Promise<number>;
  close(): Promise<void>;
}

/** A stand-in that listens. */
export interface StandIn extends EmbeddedStandIn {
  /** Without a slash at the end. */
  readonly url: string;
}

/** Serves a folder of Markdown as a Notion workspace. Throws where the folder or the state file cannot be read. */
export async function startStandIn({
  host,
  port,
  ...options
}: StandInOptions & ListenOptions): Promise<StandIn> {
  const { app, standIn } = await buildStandIn(options);
  const url = await app.listen({ host, port });
  return { ...standIn, url };
}

/** The same without a server: `siteUrl` says where its site will be. */
export async function embedStandIn(
  options: StandInOptions & { readonly siteUrl: string },
): Promise<EmbeddedStandIn> {
  const { app, standIn } = await buildStandIn(options);
  await app.ready();
  return standIn;
}

async function buildStandIn(
  options: StandInOptions,
): Promise<{ app: FastifyInstance; standIn: EmbeddedStandIn }> {
  const { clientId, clientSecret, clock, random, log, siteUrl } = options;
  const open = await openWorkspace(options.directory, {
    clock,
    linksFile: options.stateFile?.replace(/(?:\.json)?$/, "-links.json") ?? null,
    onWarning: ({ path, message }) => log?.warn({ path, reason: message }, "part of a file is not used"),
  });
  const state = await openState(options.stateFile);
  const grants = createGrants({
    state,
    clock,
    random,
    accessTokenLifetime: options.accessTokenLifetime ?? null,
    refreshTokens: options.refreshTokens ?? true,
  });
  const codes = createCodes(state, clock, random);
  const newId = () => idOf("bot", Buffer.from(random(16)).toString("hex"));
  const app = fastify({
    ...(log === undefined ? {} : { loggerInstance: log }),
    // Nobody waits for an answer who closes it.
    forceCloseConnections: true,
    // The query of an authorization request holds the state, which no log may hold.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newId,
    routerOptions: { maxParamLength: 500 },
  });
  answerAsTheApiDoes(app);

  const workspace = () => open.current();
  const callers: Callers = new WeakMap();
  const pastWorkspaces = new WeakMap<FastifyRequest, Workspace>();
  const requestLog = logRequests(app, { record: options.recordRequests ?? false, callers, clock });
  const faults = createFaults(workspace);
  const sleep = options.sleep ?? ((milliseconds) => setTimeout(milliseconds, undefined, { ref: false }));
  injectFaults(app, { draw: faults.draw, callers, grants, pastWorkspaces, clock, sleep });

  const site = createSite({
    client: { id: clientId, redirectUris: options.redirectUris ?? null },
    clientName: options.clientName ?? "Clew",
    onwardOrigins: options.onwardOrigins ?? [],
    codes,
    sealKey: random(32),
    clock,
    basePath: siteUrl === undefined ? "" : new URL(siteUrl).pathname,
    workspace,
  });
  await app.register(async (scope) => siteRoutes(scope, site));
  await app.register(async (scope) =>
    tokenRoutes(scope, { clientId, clientSecret, codes, grants, workspace }),
  );
  await app.register(async (scope) =>
    apiRoutes(scope, {
      workspaceOf: (request) => pastWorkspaces.get(request) ?? open.current(),
      reload: options.followFolder === false ? async () => open.current() : () => open.reload(),
      callers,
      grants,
      clock,
      rateLimit: options.rateLimit ?? 180,
      markdownBlockLimit: options.markdownBlockLimit ?? 20_000,
      queryRowLimit: options.queryRowLimit ?? 10_000,
      addresses: siteUrl === undefined ? notionAddresses : siteAddresses(siteUrl),
    }),
  );
  const standIn: EmbeddedStandIn = {
    fetch: inProcessFetch(app),
    site,
    workspace,
    reload: () => open.reload(),
    faults: faults.control,
    calls: requestLog.calls,
    requests: requestLog.requests,
    resetCalls: requestLog.reset,
    share: grants.share,
    withdraw: grants.withdraw,
    expireAccessTokens: grants.expireAccessTokens,
    sendWebhook: (receiver, verificationToken, event) =>
      sendWebhook(receiver, verificationToken, completeEvent(event, workspace(), clock(), newId())),
    sendVerificationToken,
    close: () => app.close(),
  };
  return { app, standIn };
}

/** Every answer carries the id of its request, and every error is one of the API's. */
function answerAsTheApiDoes(app: FastifyInstance): void {
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-notion-request-id", request.id);
  });
  app.addHook("preSerialization", async (request, _reply, payload) =>
    typeof payload === "object" ? { ...payload, request_id: request.id } : payload,
  );
  app.setErrorHandler((error, request, reply) => {
    const answer = asApiError(error);
    if (answer.status >= 500) request.log.error(error);
    return reply.code(answer.status).headers(answer.headers).send(answer.toJson(request.id));
  });
  app.setNotFoundHandler(() => {
    throw new ApiError("invalid_request_url", "Invalid request URL.");
  });
}
