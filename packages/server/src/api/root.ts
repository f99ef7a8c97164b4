import { Readable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import { Health, ref, streamProbeGapMs } from "@clew/contract";
import type { Config } from "../config/config.ts";
import { eventStreamHeaders } from "../http/response-headers.ts";
import type { App } from "../http/server.ts";
import { ApiError } from "../model/api-error.ts";
import type { Database } from "../store/port.ts";

/** `stopping` is true from SIGTERM on. */
export interface Lifecycle {
  readonly stopping: boolean;
}

/** `GET /healthz`: the process is alive. `GET /readyz`: it can serve (OPS-2). */
export async function healthRoutes(
  app: App,
  { database, lifecycle }: { database: Database; lifecycle: Lifecycle },
) {
  const schema = { response: { 200: ref(Health) } };
  const config = { access: { kind: "open", limit: "health" }, isHealthCheck: true } as const;
  app.get("/healthz", { schema, config }, async () => ({ status: "ok" as const }));
  app.get("/readyz", { schema, config }, async () => {
    if (lifecycle.stopping) throw new ApiError("unavailable", "This instance is shutting down.");
    if (!(await database.ready()))
      throw new ApiError(
        "unavailable",
        database.schemaFault() === null
          ? "The database does not respond."
          : "The database has the schema of another version: this instance must be replaced.",
        { cause: database.placeFault?.() ?? undefined },
      );
    if (!(await database.canWrite())) throw new ApiError("unavailable", "The database cannot be written to.");
    return { status: "ok" as const };
  });
}

async function* twoEvents(): AsyncGenerator<string> {
  yield "data: first\n\n";
  await setTimeout(streamProbeGapMs);
  yield "data: second\n\n";
}

/** `GET /healthz/stream`: a short event stream, by which `clew doctor` sees whether a proxy holds streams back (OPS-7). */
export async function streamProbeRoute(app: App): Promise<void> {
  const options = {
    schema: { hide: true },
    config: { access: { kind: "open" } },
    exposeHeadRoute: false,
  } as const;
  app.get("/healthz/stream", options, async (_request, reply) =>
    reply.headers(eventStreamHeaders).send(Readable.from(twoEvents())),
  );
}

/** `GET /`: redirects to the dashboard. */
export async function rootRoute(app: App, { config }: { config: Pick<Config, "dashboardUrl"> }) {
  app.get("/", { schema: { hide: true }, config: { access: { kind: "open" } } }, async (_request, reply) =>
    reply.header("cache-control", "no-store").redirect(config.dashboardUrl.href, 302),
  );
}
