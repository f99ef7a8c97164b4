import type { Config } from "../config/config.ts";
import type { App } from "../http/server.ts";

/** `GET /`: redirects to the dashboard. */
export async function rootRoute(
  app: App,
  { config }: { config: Pick<Config, "dashboardUrl"> },
): Promise<void> {
  app.get("/", { schema: { hide: true }, config: { access: { kind: "open" } } }, async (_request, reply) =>
    reply.header("cache-control", "no-store").redirect(config.dashboardUrl.href, 302),
  );
}
