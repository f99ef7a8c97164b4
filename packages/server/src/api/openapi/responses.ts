import { type Documentation, Problem, type ProblemCode, problems, ref } from "@clew/contract";
import type { FastifySchema } from "fastify";
import type { Access } from "../../auth/gate.ts";

/** A response as the OpenAPI plugin takes it. */
interface Response {
  readonly description: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly content?: unknown;
  readonly type?: "null";
}

/** The declaration of a route, and its entry in the contract. */
interface Described {
  readonly schema: FastifySchema;
  readonly access: Access | undefined;
  readonly documented: Documentation;
}

const text = (description: string) => ({ type: "string", description });

/** Every response header that the document names. */
const headers = {
  "X-Request-Id": text("Id of the request, as in the operator's log"),
  RateLimit: text('Requests left, and seconds until the window ends: `"token";r=599;t=60`'),
  "RateLimit-Policy": text('Requests per window, and its seconds: `"token";q=600;w=60`'),
  "Retry-After": { type: "integer", description: "Seconds to wait before the next request" },
  "WWW-Authenticate": text("Which credentials are needed (RFC 6750)"),
  Link: text('Path of the next part, with `rel="next"`; absent at the end (RFC 8288)'),
  ETag: text("Send it as `If-None-Match` to get 304 while nothing has changed"),
  Location: text("Where the browser continues"),
  Deprecation: text(
    "Since when the operation is deprecated: `@` and seconds since the Unix epoch (RFC 9745)",
  ),
  "X-Truncated": text("`true` if the table is cut short, as `truncated` in JSON; otherwise absent"),
  Sunset: text("When the operation ends (RFC 8594)"),
} as const;

type HeaderName = keyof typeof headers;

const pick = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, headers[name]]));

const limited = ["X-Request-Id", "RateLimit", "RateLimit-Policy"] as const;

/** All responses of a route: those that it declares with their headers, and a problem for each status that it refuses with. */
export function responsesOf(described: Described): Record<string, Response> {
  const declared = described.schema.response ?? { 302: { description: "A redirect" } };
  const codes = problemCodesOf(described);
  const statuses = [...new Set(codes.map((code) => problems[code].status))];
  return {
    ...Object.fromEntries(
      Object.entries(declared).map(([status, schema]) => [status, success(status, schema, described)]),
    ),
    ...Object.fromEntries(
      statuses.map((status) => [
        status,
        problem(
          status,
          codes.filter((code) => problems[code].status === status),
        ),
      ]),
    ),
    default: {
      description: `A problem of the request itself, found before it reached the operation: ${beforeOperation}`,
      headers: pick("X-Request-Id"),
      content: { "application/problem+json": { schema: ref(Problem) } },
    },
  };
}

const beforeOperation = (
  [
    "invalid_request",
    "invalid_json",
    "request_timeout",
    "body_too_large",
    "url_too_long",
    "unsupported_media_type",
    "expectation_failed",
    "misdirected_request",
    "headers_too_large",
  ] satisfies ProblemCode[]
)
  .map((code) => `\`${code}\``)
  .join(", ");

const tokenProblems: readonly ProblemCode[] = [
  "unauthenticated",
  "token_invalid",
  "token_expired",
  "token_revoked",
  "wrong_token_type",
];

/** The codes of an operation: its own, and those that follow from its credentials, its parameters and its body. */
function problemCodesOf({ schema, access, documented }: Described): ProblemCode[] {
  // A sign-in redirects with its errors (SIGN-4).
  if (schema.response === undefined) return [];
  const { properties: parameters = {} } = Object(schema.querystring) as { properties?: object };
  const codes = new Set<ProblemCode>([
    ...(documented.problems ?? []),
    ...(schema.querystring === undefined ? [] : (["invalid_request"] as const)),
    ...("cursor" in parameters ? (["invalid_cursor"] as const) : []),
    ...("workspace_id" in parameters ? (["workspace_not_allowed"] as const) : []),
    ...(access?.kind === "open" ? [] : tokenProblems),
    ...(access?.kind === "service-token" && access.scopes.length > 0
      ? (["insufficient_scope"] as const)
      : []),
    ...(schema.body === undefined
      ? []
      : (["invalid_json", "body_too_large", "unsupported_media_type"] as const)),
    "rate_limited",
    "internal",
    "unavailable",
  ]);
  return (Object.keys(problems) as ProblemCode[]).filter((code) => codes.has(code));
}

/** The response with a status, one of the codes. */
function problem(status: number, codes: readonly ProblemCode[]): Response {
  const names: HeaderName[] = ["X-Request-Id"];
  if (status === 401 || codes.includes("wrong_token_type") || codes.includes("insufficient_scope"))
    names.push("WWW-Authenticate");
  if (status === 429) names.push("RateLimit", "RateLimit-Policy");
  if (status === 429 || status === 503) names.push("Retry-After");
  const code = { type: "object", properties: { code: { type: "string", enum: codes } }, required: ["code"] };
  return {
    description: codes.map((each) => `\`${each}\`: ${problems[each].title}`).join(". "),
    headers: pick(...names),
    content: { "application/problem+json": { schema: { allOf: [ref(Problem), code] } } },
  };
}

const successes: Readonly<Record<string, string>> = {
  "200": "Success",
  "201": "Created",
  "202": "Accepted",
  "204": "Done",
};

/** A declared response. Those of lists and of parts of a text link the next one. */
function success(status: string, schema: unknown, { schema: route, documented }: Described): Response {
  const { querystring, response } = route;
  const { description, content, type } = Object(schema) as Partial<Response>;
  const { properties: parameters = {} } = Object(querystring) as { properties?: object };
  const names: HeaderName[] = [...limited];
  if (status === "302") names.push("Location");
  if (status === "200" && ("cursor" in parameters || "offset" in parameters)) names.push("Link");
  if ("304" in Object(response)) names.push("ETag");
  // A table of a list, which is not a stream.
  if ("cursor" in parameters && "text/csv" in Object(content)) names.push("X-Truncated");
  if (documented.deprecation !== undefined) names.push("Deprecation");
  if (documented.deprecation?.sunset !== undefined) names.push("Sunset");
  const common = { description: description ?? successes[status] ?? "", headers: pick(...names) };
  if (type === "null") return { ...common, type };
  if (content !== undefined) return { ...common, content };
  return status === "302"
    ? { ...common, type: "null" }
    : { ...common, content: { "application/json": { schema } } };
}

/** The parts of a document that `shareComponents` reads. */
interface Document {
  readonly paths: Record<string, Record<string, { responses: Record<string, SharedResponse> }>>;
  readonly components: Record<string, Record<string, unknown>>;
}

interface SharedResponse {
  headers?: Record<string, unknown>;
  readonly content?: Record<string, { schema?: { allOf?: { properties?: { code: { enum: string[] } } }[] } }>;
}

/**
 * Moves headers, and the problems that several operations have in common, to the document's components. A problem is named
 * after its codes: `InvalidRequestOrInvalidCursor`.
 */
export function shareComponents(shared: object): void {
  // The plugin's types also cover documents of other versions. This one has what `responsesOf` wrote.
  const document = shared as Document;
  const responses: Record<string, unknown> = {};
  for (const operation of Object.values(document.paths).flatMap((path) => Object.values(path))) {
    for (const [status, response] of Object.entries(operation.responses)) {
      for (const name of Object.keys(response.headers ?? {}))
        response.headers = { ...response.headers, [name]: { $ref: `#/components/headers/${name}` } };
      const media = response.content?.["application/problem+json"];
      if (media === undefined) continue;
      const codes = media.schema?.allOf?.[1]?.properties?.code.enum ?? ["any_problem"];
      const name = codes.map(pascalCase).join("Or");
      responses[name] = response;
      operation.responses[status] = { $ref: `#/components/responses/${name}` } as SharedResponse;
    }
  }
  document.components.responses = responses;
  document.components.schemas = usedSchemas(document);
  const written = JSON.stringify([document.paths, responses]);
  document.components.headers = Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => written.includes(`"#/components/headers/${name}"`))
      .map(([name, { description, type }]) => [name, { description, schema: { type } }]),
  );
}

const pascalCase = (code: string) =>
  code
    .split("_")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

/** The schemas that something refers to: every message of the contract is registered, also those of hidden routes. */
function usedSchemas({ components: { schemas = {}, responses }, paths }: Document): Record<string, unknown> {
  const used = new Set<string>();
  const follow = (part: unknown) => {
    for (const [, name = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (used.has(name)) continue;
      used.add(name);
      follow(schemas[name]);
    }
  };
  follow([paths, responses]);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
}
