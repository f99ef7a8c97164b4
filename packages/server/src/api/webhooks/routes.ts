import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { closed, Problem, ref } from "@clew/contract";
import { Type } from "typebox";
import type { Config } from "../../config/config.ts";
import { enforce, type Limits } from "../../http/limits/rate-limits.ts";
import type { App } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import type { Provider, WebhookEvent } from "../../provider/port.ts";
import type { Database } from "../../store/port.ts";
import { connectionsOfWorkspace } from "../../store/queries/connections.ts";
import type { SyncService } from "../../sync/service.ts";
import type { Replays } from "./replays.ts";

interface Parts {
  readonly config: Pick<Config, "dataDir" | "notionWebhookToken" | "notionWebhookSetup" | "allowed">;
  readonly database: Database;
  readonly provider: Pick<Provider, "slug" | "webhooks">;
  readonly sync: Pick<SyncService, "request">;
  readonly limits: Pick<Limits, "failedAuth">;
  readonly replays: Replays;
}

/** `/api/integrations/provider/webhook`: what the provider sends by itself (SYNC-9). */
export async function webhookRoutes(app: App, parts: Parts): Promise<void> {
  const { config, database, provider, sync, limits, replays } = parts;
  const { webhooks } = provider;
  const { notionWebhookToken: key, notionWebhookSetup: setup } = config;

  /** Asks for a sync of every connection to the event's workspace. Nobody waits for that: events are hints. */
  async function follow({ workspaceId, isAboutPages }: WebhookEvent): Promise<void> {
    if (!isAboutPages) return;
    const search = { provider: provider.slug, workspaceId, allowed: config.allowed };
    for (const connectionId of await connectionsOfWorkspace(database.read, search))
      void sync.request(connectionId, { by: "webhook" });
  }

  // A signature is of the bytes as they came, whatever they are said to be.
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
        summary: "Takes the provider's events, signed with the key that it handed over",
        querystring: closed({}),
        response: { 200: Type.Object({}), default: ref(Problem) },
      },
    },
    async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const offered = setup ? webhooks.offeredKey(body) : null;
      if (offered !== null) {
        const file = await keepKey(config.dataDir, offered);
        request.log.info({ file }, "the key of the provider's webhooks was written to a file");
        return {};
      }
      if (key === null || !webhooks.verify(body, request.headers, key)) {
        enforce(limits.failedAuth.take(request.ip), reply);
        throw unsigned();
      }
      const event = webhooks.event(body);
      if (event === null || !replays.isTimely(event)) throw notAnEvent();
      if (replays.isNew(event)) await follow(event);
      return {};
    },
  );
}

/**
 * Writes the key to a file of its own and returns its path. The first one stays, whoever sends others while set-up is
 * on. Throws `ApiError` `conflict` where there is one.
 */
async function keepKey(dataDir: string, key: string): Promise<string> {
  const file = join(dataDir, "webhook.key");
  try {
    await writeFile(file, `${key}\n`, { mode: 0o600, flag: "wx" });
    return file;
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "EEXIST")) throw cause;
    throw new ApiError("conflict", "A key was handed over before. Whoever runs Clew has to remove it first.");
  }
}

function unsigned(): ApiError {
  return new ApiError("unauthenticated", "Events must be signed with the key of this webhook.", {
    headers: { "www-authenticate": 'Signature realm="clew"' },
  });
}

function notAnEvent(): ApiError {
  return new ApiError("invalid_request", "This is no event, or one that is too old or not yet due.");
}
