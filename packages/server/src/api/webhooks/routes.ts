import { noQuery } from "@clew/contract";
import type { Provider, WebhookEvent } from "@clew/provider";
import { Type } from "typebox";
import type { Buckets } from "../../buckets/buckets.ts";
import type { Config } from "../../config/config.ts";
import type { SyncRequest, Syncs } from "../../connections/request-sync.ts";
import { enforce, type Limits } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Log } from "../../model/log.ts";
import { storeWebhookKey } from "../../secrets/key-file.ts";
import type { Database } from "../../store/port.ts";
import { connectionsOfWorkspace } from "../../store/queries/connections.ts";
import type { Replays } from "./replays.ts";

interface WebhookServices {
  readonly config: Pick<Config, "dataDir" | "allowed"> & {
    readonly provider: Pick<Config["provider"], "webhookToken" | "webhookSetup">;
  };
  readonly database: Database;
  readonly source: Pick<Provider, "slug" | "webhooks">;
  readonly sync: Pick<Syncs, "request">;
  readonly limits: Pick<Limits, "failedAuth">;
  readonly replays: Replays;
  /** Whose connections may be to the event's workspace; left out if there is one bucket alone. */
  readonly buckets?: Pick<Buckets, "open"> | undefined;
}

/** `/api/integrations/provider/webhook`: the provider's events (SYNC-9). */
export async function webhookRoutes(app: App, services: WebhookServices): Promise<void> {
  const { config, source, limits, replays } = services;
  const { webhooks } = source;
  const { webhookToken: key, webhookSetup: setup } = config.provider;

  /**
   * Has every connection to the event's workspace read what it names, or else the latest edits (SYNC-11). The response does
   * not wait: events are hints.
   */
  async function requestSyncs({ workspaceId, isAboutPages, changed }: WebhookEvent, log: Log): Promise<void> {
    if (!isAboutPages) return;
    const only = changed === null ? "edits" : [changed];
    const search = { provider: source.slug, workspaceId, allowed: config.allowed };
    const request = { by: "webhook", only } as const;
    const { buckets } = services;
    if (buckets === undefined) return requestSyncsIn(services, search, request, log);
    // One that is away does not keep the event from the others. Its next syncs come by themselves.
    for (const bucket of buckets.open())
      await requestSyncsIn(bucket, search, request, log).catch((err) => {
        log.error({ bucket: bucket.number, err }, "failed to request the syncs of a webhook");
      });
  }

  async function requestSyncsIn(
    { database, sync }: Pick<WebhookServices, "database" | "sync">,
    search: Parameters<typeof connectionsOfWorkspace>[1],
    request: SyncRequest,
    log: Log,
  ): Promise<void> {
    for (const connectionId of await connectionsOfWorkspace(database.read, search))
      sync.request(connectionId, request).catch((err) => {
        log.error({ connectionId, err }, "failed to request the sync of a webhook");
      });
  }

  // The signature covers the raw bytes, whatever their media type.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  app.post(
    "/webhook",
    {
      config: { access: { kind: "open", limit: "own" } },
      onRequest: async () => {
        if (key === null && !setup) throw new ApiError("not_found", "Webhooks are not set up here.");
      },
      schema: {
        querystring: noQuery,
        response: { 200: Type.Object({}) },
      },
    },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const offered = setup ? webhooks.offeredKey(body) : null;
      if (offered !== null) {
        const file = await storeWebhookKey(config.dataDir, offered);
        if (file === null)
          throw new ApiError("conflict", "A key is stored already. The operator must remove it first.");
        request.log.info({ file }, "stored the key of the provider's webhooks");
        return {};
      }
      if (key === null || !webhooks.verify(body, request.headers, key)) {
        enforce(limits.failedAuth.take(request.ip), reply);
        throw new ApiError("unauthenticated", "Events must be signed with the key of this webhook.", {
          headers: { "www-authenticate": 'Signature realm="clew"' },
        });
      }
      const event = webhooks.event(body);
      if (event === null || !replays.isTimely(event))
        throw new ApiError("invalid_request", "The body is not an event, or its time is too far from now.");
      const forget = (error: unknown) => {
        replays.forget(event);
        throw error;
      };
      if (replays.isNew(event)) await requestSyncs(event, request.log).catch(forget);
      return {};
    },
  );
}
