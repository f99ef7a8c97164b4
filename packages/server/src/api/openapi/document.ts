import { type Documentation, documentation, scopes } from "@clew/contract";
import swagger from "@fastify/swagger";
import type { FastifySchema } from "fastify";
import type { Access } from "../../auth/gate.ts";
import type { App } from "../../http/server.ts";
import { addExamples } from "./examples.ts";
import { responsesOf, shareComponents } from "./responses.ts";

const description =
  "Clew serves the pages of a workspace and the links between them as a graph. The V1 API reads the graph with a " +
  "service token. The session API is for people who are signed in through the provider of their workspace.";

/** Finds what the contract says of a route, by its method and the URL that it is registered with. */
type DocumentationAt = (method: string, url: string) => Documentation | undefined;

/** The name of the provider in a path. */
const provider = /^(\/api\/(?:integrations\/(?:auth\/)?)?)([\w-]+?)(?=-graph\/|\/)/;

/**
 * Looks routes up in a table of the contract. `basePath` is the path of PUBLIC_URL without a trailing slash; `aliases` are
 * names of the provider, which lead to the same operations as the word `provider` (SIGN-7).
 */
export function documentationAt(
  table: Readonly<Record<string, Documentation>>,
  { basePath, aliases = [] }: { readonly basePath: string; readonly aliases?: readonly string[] },
): DocumentationAt {
  const names = new Set(aliases);
  return (method, url) => {
    const path = asWritten(url);
    const below = path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path;
    return table[
      `${method} ${below.replace(provider, (whole, before: string, name: string) =>
        names.has(name) ? `${before}provider` : whole,
      )}`
    ];
  };
}

/**
 * Collects all routes that are registered later into one OpenAPI 3.1 document. `basePath` is the path of PUBLIC_URL
 * without a trailing slash.
 */
export async function registerOpenApi(
  app: App,
  basePath: string,
  documentedAt: DocumentationAt = documentationAt(documentation, { basePath }),
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.1",
      info: { title: "Clew", version: "1", description },
      servers: [{ url: basePath === "" ? "/" : basePath }],
      tags: tags.map(({ name, description: text }) => ({ name, description: text })),
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
      schema: described(schema ?? {}, documentedAt(String(route.method), url), {
        path: asWritten(url),
        access: route.config?.access,
      }),
      url: asWritten(url),
    }),
    transformObject(written) {
      const document = "openapiObject" in written ? written.openapiObject : written.swaggerObject;
      shareComponents(document);
      addExamples(document);
      return document;
    },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? `schema-${index}`),
    },
  });
}

/** The routes of one resource share a tag. Those that most readers look for come first. */
const tags: readonly { readonly name: string; readonly description: string; readonly pattern: RegExp }[] = [
  {
    name: "Reading with a service token",
    description: "For agents, scripts and pipelines: read the graph, and nothing else.",
    pattern: /\/api\/v1\//,
  },
  {
    name: "Workspaces",
    description: "For people who are signed in: sync a workspace, follow its syncs, and disconnect it.",
    pattern: /\/api\/provider-graph\/workspaces\/[^/]+\//,
  },
  {
    name: "Reading with a session",
    description: "The same operations for people who are signed in.",
    pattern: /\/api\/provider-graph\//,
  },
  {
    name: "Service tokens",
    description: "For people who are signed in: create, rotate and revoke service tokens.",
    pattern: /\/api\/tokens\//,
  },
  {
    name: "Sign-in",
    description: "Where browsers sign in through the provider.",
    pattern: /\/api\/integrations\/auth\/provider\//,
  },
  { name: "Session", description: "A person's sessions and account.", pattern: /\/api\/auth\// },
  {
    name: "Audit trail",
    description: "What happened to a person's sessions and service tokens.",
    pattern: /\/api\/audit\//,
  },
  { name: "Operation", description: "For operators, and for the provider's webhook.", pattern: /./ },
];

/**
 * A route's schema as the document shows it, with the access that the gate enforces. Routes that the contract does not
 * document, such as those under other names of the provider, are hidden.
 */
function described(
  schema: FastifySchema,
  documented: Documentation | undefined,
  { path, access }: { readonly path: string; readonly access: Access | undefined },
): FastifySchema {
  if (documented === undefined) return { ...schema, hide: true };
  // An empty description is left out.
  const { operationId, summary, description = "", deprecation } = documented;
  return {
    ...schema,
    operationId,
    summary,
    description,
    deprecated: deprecation !== undefined,
    tags: [tags.find(({ pattern }) => pattern.test(path))?.name ?? ""],
    security: securityOf(access),
    response: responsesOf({ schema, access, documented }),
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
    { schema: { hide: true }, config: { access: { kind: "open" }, isCompressed: true } },
    async (_request, reply) => {
      json ??= JSON.stringify(app.swagger());
      return reply.type("application/json; charset=utf-8").send(json);
    },
  );
}
