import { scopes } from "@clew/contract";
import swagger from "@fastify/swagger";
import type { App } from "./app-instance.ts";

const description =
  "Clew follows the threads between the pages of a workspace. The V1 API reads that graph with a service token; " +
  "the session API is for people who signed in through their workspace's provider.";

/**
 * Collects every route that is registered after it into one OpenAPI 3.1 document.
 * @param basePath where the API stands below its host, without a trailing slash
 */
export async function registerOpenApi(
  app: App,
  { basePath, version }: { basePath: string; version: string },
) {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: { title: "Clew", version, description },
      servers: [{ url: basePath === "" ? "/" : basePath }],
      components: {
        securitySchemes: {
          serviceToken: {
            type: "http",
            scheme: "bearer",
            description: `A service token, \`svc_…\`. Scopes: ${Object.entries(scopes)
              .map(([scope, permits]) => `\`${scope}\` (${permits})`)
              .join(", ")}.`,
          },
          session: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "JWT",
            description: "A session's access token.",
          },
        },
      },
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

/** `GET /openapi.json`: the document, open to all (GRAPH-14). */
export async function openApiRoute(app: App): Promise<void> {
  app.get("/openapi.json", { schema: { hide: true }, config: { access: { kind: "open" } } }, async () =>
    app.swagger(),
  );
}
