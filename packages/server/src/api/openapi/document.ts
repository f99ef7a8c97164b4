import { documentation, scopes } from "@clew/contract";
import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import type { Access } from "../../auth/gate.ts";
import type { App } from "../../http/server.ts";
import { responsesOf, shareComponents } from "./responses.ts";

const description =
  "Clew serves the pages of a workspace and the links between them as a graph. The V1 API reads the graph with a " +
  "service token. The session API is for people who are signed in through the provider of their workspace.";

/**
 * Collects all routes that are registered later into one OpenAPI 3.1 document. `basePath` is the path of PUBLIC_URL
 * without a trailing slash.
 */
export async function registerOpenApi(app: App, basePath: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: { title: "Clew", version: "1", description },
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
    transform: ({ schema, url, route }) => {
      const path = asWritten(url);
      const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
      return { schema: described(schema, `${route.method} ${below}`, route.config?.access), url: path };
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

/** The routes of one resource share a tag. */
const tags: readonly (readonly [string, RegExp])[] = [
  ["Reading with a service token", /\/api\/v1\//],
  ["Workspaces", /\/api\/provider-graph\/workspaces\/[^/]+\//],
  ["Reading with a session", /\/api\/provider-graph\//],
  ["Sign-in", /\/api\/integrations\/auth\/provider\//],
  ["Session", /\/api\/auth\//],
  ["Service tokens", /\/api\/tokens\//],
  ["Audit trail", /\/api\/audit\//],
  ["Operation", /./],
];

/**
 * A route's schema as the document shows it, with the access that the gate enforces. Routes that the contract does not
 * document, such as those under other names of the provider, are hidden.
 */
function described(
  schema: FastifySchema | undefined,
  route: string,
  access: Access | undefined,
): FastifySchema {
  const documented = documentation[route];
  if (documented === undefined) return { ...schema, hide: true };
  // An empty description is left out.
  const { operationId, summary, description = "" } = documented;
  const tag = tags.find(([, pattern]) => pattern.test(route))?.[0] ?? "";
  const response = responsesOf({ schema: schema ?? {}, access, documented });
  return {
    ...schema,
    operationId,
    summary,
    description,
    tags: [tag],
    security: securityOf(access),
    response,
  };
}

/** The documented paths of resources end in a slash; the router drops it from the first route of each. */
function asWritten(url: string): string {
  return /\/(callback|status|healthz|readyz|events|webhook)$/.test(url) || url.endsWith("/")
    ? url
    : `${url}/`;
}

function securityOf(access: Access | undefined): Record<string, string[]>[] {
  if (access?.kind === "session") return [{ session: [] }];
  // OpenAPI 3.1 allows scopes with a bearer scheme.
  return access?.kind === "service-token" ? [{ serviceToken: [...access.scopes] }] : [];
}

/** `GET /openapi.json`: the document, open to all (GRAPH-14). It is large, so it is serialised once. */
export async function openApiRoute(app: App): Promise<void> {
  let json: string | null = null;
  app.get(
    "/openapi.json",
    { schema: { hide: true }, config: { access: { kind: "open" } } },
    async (_request, reply) => {
      json ??= JSON.stringify(shareComponents(app.swagger()));
      return reply.type("application/json; charset=utf-8").send(json);
    },
  );
}
