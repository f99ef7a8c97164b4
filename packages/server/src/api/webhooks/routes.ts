import { noQuery } from "@clew/contract";
import type { Provider, WebhookEvent } from "@clew/provider";
import { Type } from "typebox";
import type { Config } from "../../config/config.ts";
import type { Syncs } from "../../connections/request-sync.ts";
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
  readonly provider: Pick<Provider, "slug" | "webhooks">;
  readonly sync: Pick<Syncs, "request">;
  readonly limits: Pick<Limits, "failedAuth">;
  readonly replays: Replays;
}

/** `/api/integrations/provider/webhook`: the provider's events (SYNC-9). */
export async function webhookRoutes(app: App, services: WebhookServices): Promise<void> {
  const { config, database, provider, sync, limits, replays } = services;
  const { webhooks } = provider;
  const { webhookToken: key, webhookSetup: setup } = config.provider;

  /** Requests a sync of every connection to the event's workspace. The response does not wait: events are hints. */
  async function requestSyncs({ workspaceId, isAboutPages }: WebhookEvent, log: Log): Promise<void> {
    if (!isAboutPages) return;
    const search = { provider: provider.slug, workspaceId, allowed: config.allowed };
    for (const connectionId of await connectionsOfWorkspace(database.read, search))
      sync.request(connectionId, { by: "webhook" }).catch((err) => {
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
      if (replays.isNew(event)) await requestSyncs(event, request.log);
      return {};
    },
  );
}
