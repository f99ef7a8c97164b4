import { fileURLToPath } from "node:url";
import { type FastifyBaseLogger, fastify, LogController } from "fastify";
import { ApiError } from "./http/api-error.ts";
import { asApiError } from "./http/error-answer.ts";
import { apiRoutes } from "./http/server.ts";
import { createCodes } from "./oauth/codes.ts";
import { consentRoutes } from "./oauth/consent-routes.ts";
import { openGrants } from "./oauth/grants.ts";
import { tokenRoutes } from "./oauth/token-routes.ts";
import { idOf } from "./workspace/ids.ts";
import { openWorkspace } from "./workspace/open.ts";
import type { Workspace } from "./workspace/workspace.ts";

/** The folder of Markdown that comes with Clew. */
export const sampleDirectory = fileURLToPath(new URL("../sample", import.meta.url));

/** What a stand-in serves, where, and to whom. */
export interface StandInOptions {
  /** The folder of Markdown. */
  readonly directory: string;
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where consent may lead back to; null (as when left out) for any address of this machine. */
  readonly redirectUris?: readonly string[] | null;
  /** Origins that those addresses themselves lead on to, for the policy of the consent form. */
  readonly onwardOrigins?: readonly string[];
  /** What the consent screen calls the client; `Clew` when left out. */
  readonly clientName?: string;
  /** Where grants outlast a restart; null keeps them in memory. */
  readonly stateFile: string | null;
  /** Milliseconds since the Unix epoch. */
  readonly clock: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly log?: FastifyBaseLogger;
  /** Calls a minute and grant, 180 when left out; 0 for any number. */
  readonly rateLimit?: number;
  /** The most blocks in one answer as Markdown, 20 000 when left out. */
  readonly markdownBlockLimit?: number;
  /** The most rows that one query goes through, 10 000 when left out. */
  readonly queryRowLimit?: number;
}

/** A stand-in that serves. */
export interface StandIn {
  /** Without a slash at the end. */
  readonly url: string;
  /** The workspace as it was last read. */
  workspace(): Workspace;
  /** Reads the folder again; a search does so by itself when it begins. */
  reload(): Promise<Workspace>;
  /** How many calls there were so far, by method and route: `GET /v1/pages/:page_id`. */
  calls(): Readonly<Record<string, number>>;
  close(): Promise<void>;
}

/** Serves a folder of Markdown as a Notion workspace. Throws where the folder or the state file cannot be read. */
export async function startStandIn(options: StandInOptions): Promise<StandIn> {
  const { clientId, clientSecret, clock, random, log } = options;
  const open = await openWorkspace(options.directory);
  for (const warning of open.current().warnings) log?.warn(warning, "the stand-in left something out");
  const grants = await openGrants({ stateFile: options.stateFile, clock, random });
  const codes = createCodes(clock, random);
  const calls = new Map<string, number>();
  const app = fastify({
    ...(log === undefined ? {} : { loggerInstance: log }),
    // Nobody waits for an answer who closes it.
    forceCloseConnections: true,
    // The query of an authorization request holds the state, which no log may hold.
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: () => idOf("bot", Buffer.from(random(16)).toString("hex")),
    routerOptions: { maxParamLength: 500 },
  });

  // Every call passes here first: faults that are wanted for a test would be injected here.
  app.addHook("onRequest", async (request, reply) => {
    reply.header("x-notion-request-id", request.id);
    const route = request.routeOptions.url;
    if (route === undefined) return;
    const call = `${request.method} ${route}`;
    calls.set(call, (calls.get(call) ?? 0) + 1);
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

  const workspace = () => open.current();
  await app.register(async (scope) =>
    consentRoutes(scope, {
      client: { id: clientId, redirectUris: options.redirectUris ?? null },
      clientName: options.clientName ?? "Clew",
      onwardOrigins: options.onwardOrigins ?? [],
      codes,
      sealKey: random(32),
      clock,
      workspace,
    }),
  );
  await app.register(async (scope) =>
    tokenRoutes(scope, { clientId, clientSecret, codes, grants, workspace }),
  );
  await app.register(async (scope) =>
    apiRoutes(scope, {
      open,
      grants,
      clock,
      rateLimit: options.rateLimit ?? 180,
      markdownBlockLimit: options.markdownBlockLimit ?? 20_000,
      queryRowLimit: options.queryRowLimit ?? 10_000,
    }),
  );
  const url = await app.listen({ host: options.host, port: options.port });
  return {
    url,
    workspace,
    reload: () => open.reload(),
    calls: () => Object.fromEntries(calls),
    close: () => app.close(),
  };
}
