import { type Build, documentation } from "@clew/contract";
import type { Provider } from "@clew/provider";
import type { FastifyBaseLogger } from "fastify";
import type { ActivityLog } from "./activity/activity-log.ts";
import { registerActivity } from "./activity/record-calls.ts";
import { metadataRoutes } from "./api/apps/metadata-routes.ts";
import { oauthRoutes } from "./api/apps/oauth-routes.ts";
import { refusedRegistrationRoute } from "./api/apps/refused-registration.ts";
import { appRequestRoutes } from "./api/apps/request-routes.ts";
import { auditRoute } from "./api/audit/route.ts";
import { accountRoute, authRoutes } from "./api/auth/routes.ts";
import { sessionRoutes } from "./api/auth/sessions.ts";
import { dashboardRoutes, readNotFoundPage } from "./api/dashboard.ts";
import { type DemoSite, demoRoutes } from "./api/demo.ts";
import { docsRoutes } from "./api/docs.ts";
import { SessionStreams } from "./api/event-streams.ts";
import { graphRoutes } from "./api/graph/routes.ts";
import { registerDeprecations } from "./api/openapi/deprecation.ts";
import { documentationAt, openApiRoute, registerOpenApi } from "./api/openapi/document.ts";
import { referenceRoutes } from "./api/reference/routes.ts";
import { healthRoutes, type Lifecycle, rootRoute, streamProbeRoute } from "./api/root.ts";
import { addSourceRoute } from "./api/sign-in/add-source.ts";
import { signInRoutes } from "./api/sign-in/routes.ts";
import { activityRoutes } from "./api/tokens/activity-routes.ts";
import { createActivityStreams } from "./api/tokens/activity-streams.ts";
import { tokenRoutes } from "./api/tokens/routes.ts";
import { createReplays } from "./api/webhooks/replays.ts";
import { webhookRoutes } from "./api/webhooks/routes.ts";
import { createEventStreams } from "./api/workspaces/events/streams.ts";
import { workspaceRoutes } from "./api/workspaces/routes.ts";
import { ClientDocuments } from "./auth/apps/client-documents.ts";
import { Clients } from "./auth/apps/clients.ts";
import { type DocumentNetwork, fetchDocument } from "./auth/apps/document-network.ts";
import { Registrations } from "./auth/apps/registrations.ts";
import type { OwnsCredential } from "./auth/draw-credential.ts";
import { limitToSource, loggedSender, registerGate } from "./auth/gate.ts";
import type { Sessions } from "./auth/sessions.ts";
import type { RefusedUse, TokenUse } from "./auth/token-use.ts";
import type { Buckets } from "./buckets/buckets.ts";
import type { Front } from "./buckets/front.ts";
import type { Config } from "./config/config.ts";
import { rangeMatcher } from "./config/trusted-proxies.ts";
import type { Syncs } from "./connections/request-sync.ts";
import type { GivenCursors } from "./graphs/given-cursors.ts";
import type { Graphs } from "./graphs/graphs.ts";
import { connectionLimits, openFileLimit, registerConnectionGuard } from "./http/limits/connection-guard.ts";
import type { Limits } from "./http/limits/rate-limits.ts";
import { type App, createServer } from "./http/server.ts";
import { registerWrongMethods } from "./http/wrong-method.ts";
import { mcpRoute } from "./mcp/route.ts";
import type { Metrics } from "./metrics/metrics.ts";
import { ApiError } from "./model/api-error.ts";
import type { Clock, ObserveCache, RandomBytes } from "./model/runtime.ts";
import { createExportStreams } from "./operations/export-streams.ts";
import type { LinkMaps } from "./operations/link-maps.ts";
import { createQueryServices } from "./operations/request-context.ts";
import type { Sources } from "./providers/sources.ts";
import type { QueryThreads } from "./queries/query-threads.ts";
import type { Secrets } from "./secrets/secrets.ts";
import type { Database } from "./store/port.ts";
import type { EditTimes } from "./sync/looks/edit-times.ts";

/** The open services that the routes use. The caller closes them. */
export interface AppServices {
  readonly config: Config;
  readonly build: Build;
  readonly database: Database;
  readonly secrets: Secrets;
  readonly sources: Sources;
  /** The pages of the demo workspace for browsers; null if it is not served. */
  readonly demo: DemoSite | null;
  readonly graphs: Graphs;
  readonly queryThreads: QueryThreads;
  readonly linkMaps: LinkMaps;
  readonly givenCursors: Pick<GivenCursors, "note">;
  readonly sessions: Sessions;
  readonly tokenUse: TokenUse;
  readonly refusedUse: RefusedUse;
  readonly activity: ActivityLog;
  readonly limits: Limits;
  readonly sync: Syncs;
  readonly editTimes: Pick<EditTimes, "editsAsOf">;
  readonly clock: Clock;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  readonly random: RandomBytes;
  /** The network through which documents of clients are read (APP-3). */
  readonly documentNetwork: DocumentNetwork;
  readonly lifecycle: Lifecycle;
  readonly log: FastifyBaseLogger;
  readonly metrics: Pick<Metrics, "observeRequests"> | null;
  readonly observeCache: ObserveCache;
  /** All buckets; this and the next three are left out if there is one alone. */
  readonly buckets?: Buckets;
  /** Whether a new credential belongs to this bucket. */
  readonly owns?: OwnsCredential;
  /** Hands requests to their buckets. */
  readonly front?: Front;
  /** The database of the home bucket; left out in that bucket itself. */
  readonly home?: Database;
  /** Milliseconds from a request to its response, for tests. */
  readonly responseTimeoutMs?: number;
}

/** Builds the server with all routes, ready to listen or to be called by `inject`. */
export async function buildApp(services: AppServices): Promise<App> {
  const { config, log } = services;
  const trustsProxy = rangeMatcher(config.trustProxy);
  const app = createServer({
    log,
    isUnavailable: services.database.isUnavailable,
    publicOrigin: config.publicUrl.origin,
    dashboardOrigin: config.dashboardUrl.origin,
    notFoundPage: await readNotFoundPage(config),
    senderOf: loggedSender,
    responseTimeoutMs: services.responseTimeoutMs,
    ...(config.trustProxy.length === 0 ? {} : { trustsProxy }),
  });
  guardConnections(app, services, trustsProxy);
  services.metrics?.observeRequests(app, services.database.isUnavailable);
  const closeMethods = registerWrongMethods(app);
  const basePath = config.publicUrl.pathname.replace(/\/$/, "");
  const aliases = services.sources.all.flatMap((source) => [source.slug, ...source.aliases]);
  registerDeprecations(app, documentationAt(documentation, { basePath, aliases }));
  registerGate(app, services);
  registerActivity(app, services);
  await registerOpenApi(app, basePath);
  for (const prefix of new Set(["", basePath])) {
    await app.register(healthRoutes, { ...services, prefix });
    await app.register(streamProbeRoute, { prefix });
    await app.register(rootRoute, { ...services, prefix });
    if (config.oauthClients === "off") await app.register(refusedRegistrationRoute, { prefix });
  }
  if (config.oauthClients !== "off") await app.register((root) => metadataRoutes(root, services));
  await app.register((base) => serviceRoutes(base, services), { prefix: basePath });
  closeMethods();
  await app.ready();
  return app;
}

/** Guards the connections of the server that listens: of several buckets that of the home bucket, which hands requests to the others. */
function guardConnections(
  app: App,
  { front, home, monotonic, log }: AppServices,
  isProxy: (address: string | undefined) => boolean,
): void {
  if (home !== undefined) {
    front?.limitResponses(app);
    return;
  }
  front?.takeOver(app.server);
  const guard = registerConnectionGuard(app, {
    limits: connectionLimits(openFileLimit()),
    monotonic,
    isProxy,
    onCut: logCut(log),
  });
  if (front !== undefined) front.guard = guard;
}

/** The services of a process that answers health checks alone. */
type HealthServices = Pick<AppServices, "config" | "database" | "lifecycle" | "monotonic" | "log">;

/** Builds the server of a process without the role `serve`: it says whether the process lives and is ready (OPS-2). */
export async function buildHealthApp({
  config,
  database,
  lifecycle,
  monotonic,
  log,
}: HealthServices): Promise<App> {
  const app = createServer({
    log,
    isUnavailable: database.isUnavailable,
    publicOrigin: config.publicUrl.origin,
    dashboardOrigin: config.dashboardUrl.origin,
  });
  registerConnectionGuard(app, {
    limits: connectionLimits(openFileLimit()),
    monotonic,
    isProxy: () => false,
    onCut: logCut(log),
  });
  app.setNotFoundHandler(() => {
    throw new ApiError("not_found", "This process answers health checks alone: CLEW_ROLE has no serve.");
  });
  const closeMethods = registerWrongMethods(app);
  await app.register(healthRoutes, { database, lifecycle });
  closeMethods();
  await app.ready();
  return app;
}

const logCut = (log: AppServices["log"]) => (connections: number) =>
  log.warn({ connections }, "closed connections with too much unsent data");

/** The connection of apps by URL (APP-3 to APP-6). */
async function appRoutes(base: App, services: AppServices): Promise<void> {
  const database = services.home ?? services.database;
  const registrations = new Registrations({ ...services, database });
  const documents = new ClientDocuments({
    ...services,
    database,
    fetchDocument: (url) => fetchDocument(services.documentNetwork, url),
  });
  const apps = {
    ...services,
    registrations,
    clients: new Clients({ ...services, registrations, documents }),
  };
  await base.register((scope) => oauthRoutes(scope, apps), { prefix: "/oauth" });
  await base.register((scope) => appRequestRoutes(scope, apps), { prefix: "/api/apps/requests" });
}

/** The names of sources in paths; null stands for all of them. */
function namedSources(sources: Sources): ReadonlyMap<string, Provider | null> {
  const named = sources.all.flatMap((source) =>
    [source.slug, ...source.aliases].map((name) => [name, source] as const),
  );
  return new Map<string, Provider | null>([["provider", null], ...named]);
}

/** Everything below PUBLIC_URL. */
async function serviceRoutes(base: App, services: AppServices): Promise<void> {
  const { demo, sources } = services;
  const onError = (err: unknown) => services.log.error({ err }, "failed to stream sync events");
  const onActivityError = (err: unknown) =>
    services.log.error({ err }, "failed to stream what a token reads");
  const sessionStreams = new SessionStreams();
  const shared = {
    ...services,
    exports: createExportStreams(),
    sessionStreams,
    eventStreams: createEventStreams({ ...services, sessionStreams, onError }),
    activityStreams: createActivityStreams({ ...services, sessionStreams, onError: onActivityError }),
    replays: createReplays(services.clock, services.observeCache),
  };
  // A closing server waits for open responses, and streams last up to an hour.
  base.addHook("preClose", async () => {
    sessionStreams.close();
    shared.exports.close();
  });
  await base.register(dashboardRoutes, services);
  await base.register(docsRoutes, services);
  await base.register(referenceRoutes, services);
  if (demo !== null) await base.register((scope) => demoRoutes(scope, demo), { prefix: "/demo" });
  await base.register((scope) => authRoutes(scope, services), { prefix: "/api/auth" });
  await base.register((scope) => accountRoute(scope, services), { prefix: "/api/auth" });
  await base.register((scope) => sessionRoutes(scope, services), { prefix: "/api/auth/sessions" });
  await base.register((scope) => auditRoute(scope, services), { prefix: "/api/audit" });
  await base.register((scope) => tokenRoutes(scope, services), { prefix: "/api/tokens" });
  await base.register((scope) => activityRoutes(scope, shared), { prefix: "/api/tokens" });
  if (services.config.oauthClients !== "off") await appRoutes(base, services);
  const v1 = createQueryServices(shared, "v1");
  await base.register((scope) => graphRoutes(scope, v1), { prefix: "/api/v1" });
  await base.register((scope) => mcpRoute(scope, v1, services), { prefix: "/api/v1/mcp" });
  await base.register(openApiRoute, { prefix: "/api/v1" });
  const session = createQueryServices(shared, "session");
  // Until it is known who signs in, it is the home bucket's concern.
  const signIn = { ...services, database: services.home ?? services.database };
  await base.register((scope) => addSourceRoute(scope, signIn), { prefix: "/api/auth/sources" });
  // The word `provider` stands for all sources, their own names for one (SIGN-7).
  for (const [name, source] of namedSources(sources)) {
    await base.register((scope) => signInRoutes(scope, { ...signIn, source }), {
      prefix: `/api/integrations/auth/${name}`,
    });
    // Folders send none.
    const webhooks = { ...shared, source: source ?? sources.first };
    if (source === null || source.folder == null)
      await base.register((scope) => webhookRoutes(scope, webhooks), { prefix: `/api/integrations/${name}` });
    await base.register(
      async (scope) => {
        if (source !== null) limitToSource(scope, source.slug);
        await scope.register((below) => graphRoutes(below, session));
        await scope.register((below) => workspaceRoutes(below, { ...shared, hasTags: session.hasTags }));
      },
      { prefix: `/api/${name}-graph` },
    );
  }
}
