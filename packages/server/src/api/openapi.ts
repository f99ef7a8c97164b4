import { Problem, ref, scopes } from "@clew/contract";
import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import type { Access } from "../auth/gate.ts";
import type { App } from "../http/server.ts";

const description =
  "Clew follows the references between the pages of a workspace. The V1 API reads that graph with a service token; " +
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
    transform: ({ schema, url, route }) => ({
      schema: described(schema, url, route.config?.access),
      url: asWritten(url),
    }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

/** The routes of one resource stand together; those without a tag of their own are told by their path. */
const tags: readonly (readonly [string, RegExp])[] = [
  ["Reading with a service token", /\/api\/v1\//],
  ["Workspaces", /\/api\/provider-graph\/workspaces\/[^/]+\//],
  ["Reading with a session", /\/api\/provider-graph\//],
  ["Sign-in", /\/api\/integrations\/auth\/provider\//],
  ["Session", /\/api\/auth\//],
  ["Service tokens", /\/api\/tokens\//],
  ["Audit trail", /\/api\/audit\/$/],
  ["Operation", /\/(healthz|readyz|api\/integrations\/provider\/webhook)$/],
];

/**
 * A route's schema as the document shows it: who may call it follows from the access that the gate enforces, and
 * a route under another of the provider's names is left out.
 */
function described(
  schema: FastifySchema | undefined,
  url: string,
  access: Access | undefined,
): FastifySchema {
  const tag = tags.find(([, pattern]) => pattern.test(asWritten(url)))?.[0];
  if (tag === undefined) return { ...schema, hide: true };
  const response = { ...(schema?.response ?? redirect), default: problem };
  return { ...schema, tags: [tag], security: access ? securityOf(access) : [], response };
}

const redirect = { 302: { description: "A redirect" } };
const problem = {
  description: "A problem (RFC 9457)",
  content: { "application/problem+json": { schema: ref(Problem) } },
};

/** Resources are written with a trailing slash, as their routes are; the router drops it from the first of each. */
function asWritten(url: string): string {
  return /\/(callback|status|healthz|readyz|events|webhook)$/.test(url) || url.endsWith("/")
    ? url
    : `${url}/`;
}

function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.kind) {
    case "open":
      return [];
    case "session":
      return [{ session: [] }];
    case "service-token":
      // OpenAPI 3.1 lets a bearer scheme name what is needed of it.
      return [{ serviceToken: [...access.scopes] }];
  }
}

/** `GET /openapi.json`: the document, open to all (GRAPH-14), and so large that it is written out once. */
export async function openApiRoute(app: App): Promise<void> {
  let json: string | null = null;
  app.get(
    "/openapi.json",
    { schema: { hide: true }, config: { access: { kind: "open" } } },
    async (_request, reply) => {
      json ??= JSON.stringify(app.swagger());
      return reply.type("application/json; charset=utf-8").send(json);
    },
  );
}
