import { graphOperations, type Operation, type Scope, tools } from "@clew/contract";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";
import type { Credential, State, Subject } from "./cast.ts";
import { fittingFields, type Input } from "./inputs.ts";
import { type Access, accessOf, parameterScopes, sessionParameters, toolScopes } from "./policy.ts";

/** The thing that a request names: a page or workspace of the graph, or what the subject alone has; null for none. */
type About = "page" | "workspace" | "own" | null;

/** A request whose answer depends on the credential that it is sent with. */
export interface Row {
  readonly method: string;
  readonly pattern: string;
  readonly access: Access;
  /** The parameters or the tool that make it differ from other requests to its route. */
  readonly variant: string;
  /** All scopes that a service token needs. */
  readonly needs: readonly Scope[];
  /** Whether it has a parameter that service tokens may not send. */
  readonly isOfSessions: boolean;
  readonly about: About;
  /** The tool that it calls; undefined for any other request. */
  readonly tool?: string;
  readonly query: string;
  readonly body?: string;
}

/** The status of an answer, with the code of its problem. */
type Outcome = string;

/** No page, workspace, token or session has this id. */
const nobodys = {
  page: "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
  workspace: "0b1f2c3d-4e5f-4a6b-8c7d-9e0f1a2b3c4d",
  own: "999999999",
} as const;

const isRead = (method: string) => method === "GET" || method === "HEAD";

/** Whether a successful request would change something, or not end. It then names what does not exist, if its caller is admitted. */
const isRisky = ({ method, pattern, tool }: Row) =>
  tool === undefined && pattern !== "/api/v1/mcp" && (!isRead(method) || pattern.endsWith("/events"));

/** Whether it ends the account of its caller. Such rows come last. */
export const isFarewell = ({ method, pattern }: Row) => method === "DELETE" && pattern === "/api/auth/me";

/** The rows of every registered route, with those of parameters that need more, and of tools. Throws for a route without a policy. */
export function rowsOf(inputs: readonly Input[], { pageId }: Subject): Row[] {
  const known = { q: "atlas", page: "Atlas of islands", ids: pageId, from: pageId, to: pageId };
  const rows = inputs.flatMap(({ method, pattern, query, body }): Row[] => {
    const access = accessOf(method, pattern);
    const required =
      access.kind === "open" || !isRead(method) || query === null ? {} : fittingFields(query, known);
    // A context needs a question or a page: neither is required alone.
    const fields = pattern.endsWith("/context") ? { q: "atlas" } : required;
    const needs = access.kind === "service-token" ? access.scopes : [];
    const about = aboutOf(pattern);
    // A body that fits, so that the request is refused for what it names.
    const fitting = about === "workspace" && body !== null && fittingFields(body, { tags: true });
    const base = {
      ...{ method, pattern, access, needs, isOfSessions: false, about },
      ...(fitting && { body: JSON.stringify(fitting) }),
    };
    const row = {
      ...base,
      variant: "",
      query: String(new URLSearchParams(fields as Record<string, string>)),
    };
    const below = pattern.replace(/^\/api\/(?:v1|\w+-graph)/, "");
    const more = [
      ...parameterScopes.filter(({ path }) => path === below && below !== pattern),
      ...sessionParameters
        .filter(({ path }) => path === below && below !== pattern)
        .map((each) => ({ ...each, scopes: [], isOfSessions: true })),
    ].map(({ parameter, scopes, ...rest }): Row => {
      const extra = parameter.split("&")[0] ?? "";
      const all = [...new Set([...needs, ...scopes])];
      return { ...row, ...rest, variant: extra, query: `${row.query}&${extra}`, needs: all };
    });
    return [row, ...more];
  });
  const mcp = rows.find(({ pattern }) => pattern === "/api/v1/mcp");
  if (mcp === undefined) throw new Error("the transport for agents is gone");
  const ping = { ...mcp, body: rpc("tools/list") };
  const called = Object.keys(tools).map((tool): Row => {
    const about = /page|database|id|from/.test(argumentsOf(tool, "")) ? "page" : null;
    const needs = toolScopes[tool as keyof typeof tools];
    return { ...mcp, variant: tool, tool, needs, about, query: `tools=${tool}` };
  });
  const all = [...rows.filter((row) => row !== mcp), ping, ...called];
  // Fastify derives HEAD from GET. It tells no more of an open route.
  const derived = all.filter(({ method, access }) => method === "GET" && access.kind !== "open");
  const heads = derived.map((row) => ({ ...row, method: "HEAD" }));
  const [farewells, others] = [all.filter(isFarewell), [...all, ...heads].filter((row) => !isFarewell(row))];
  return [...others, ...farewells];
}

function aboutOf(pattern: string): About {
  if (/\/nodes\/:id|\/paths$/.test(pattern)) return "page";
  if (/\/workspaces\/:id/.test(pattern)) return "workspace";
  return /\/(?:tokens|sessions|requests)\/:id/.test(pattern) ? "own" : null;
}

const rpc = (method: string, params?: unknown) => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });

/** The arguments of a call about one page. */
function argumentsOf(tool: string, pageId: string, databaseId = pageId): string {
  const byTool: Readonly<Record<string, unknown>> = {
    search_pages: { query: "atlas" },
    build_context: { question: "atlas" },
    read_page: { page: [pageId] },
    list_links: { page: pageId },
    find_related: { page: pageId },
    find_paths: { from: pageId, to: pageId },
    query_database: { database: databaseId },
    recent_changes: {},
    workspace_overview: {},
    search: { query: "atlas" },
    fetch: { id: pageId },
  };
  if (byTool[tool] === undefined) throw new Error(`say how the matrix calls ${tool}`);
  return JSON.stringify(byTool[tool]);
}

/** The request of a row, as someone with a credential in this state sends it. */
export function requestOf(
  row: Row,
  subject: Subject,
  state: State | null,
  authorization?: string,
): RawRequest {
  const { method, pattern, query, tool, about } = row;
  const isNobodys =
    isRisky(row) && (state === "valid" || about === "workspace") && state !== "workspace gone";
  const node = pattern.endsWith("/rows") ? subject.databaseId : subject.pageId;
  const ofSession = pattern.includes("/sessions/") ? subject.sessionId : String(subject.tokenId);
  const ids = isNobodys ? nobodys : { page: node, workspace: subject.workspaceId, own: ofSession };
  const id = ids[about ?? "own"];
  const path = pattern.replace(":id", id).replace(/:name|\*/, "nothing");
  const body =
    tool === undefined
      ? row.body
      : rpc("tools/call", {
          name: tool,
          arguments: JSON.parse(argumentsOf(tool, subject.pageId, subject.databaseId)),
        });
  const json = isRead(method) || method === "DELETE" ? {} : { "content-type": "application/json" };
  return {
    method,
    path: query === "" ? path : `${path}?${query}`,
    headers: { ...json, ...(authorization !== undefined && { authorization }) },
    ...((body !== undefined || "content-type" in json) && { body: body ?? "{}" }),
  };
}

/** The status and code that the policy says. `credential` is null if there is none. */
export function expectedOf(
  row: Row,
  credential: Pick<Credential, "kind" | "state" | "scopes"> | null,
): Outcome {
  const { access, pattern, needs, isOfSessions, tool } = row;
  if (access.kind === "open") return String(access.status);
  if (credential === null) return "401 unauthenticated";
  const { kind, state, scopes } = credential;
  const ended = endedBy(kind, state);
  if (ended !== null) return `401 ${ended}`;
  const isWrong =
    (kind === "session") !== (access.kind === "session") ||
    (kind === "app token" && pattern !== "/api/v1/mcp");
  if (isWrong || (isOfSessions && kind !== "session")) return "403 wrong_token_type";
  if (!needs.every((scope) => scopes.includes(scope)) && access.kind === "service-token")
    return tool === undefined ? "403 insufficient_scope" : "200 insufficient_scope";
  return admitted(row, state);
}

/** The code with which a credential that has ended is refused; null for one that has not. */
function endedBy(kind: Credential["kind"], state: State): string | null {
  if (state === "expired") return "token_expired";
  if (state === "revoked" || state === "off the list") return "token_revoked";
  // A token without a workspace left is revoked.
  if (state === "workspace gone" && kind !== "session") return "token_revoked";
  // The row of a token goes with its account. A session's token is known by its signature.
  if (state === "account gone") return kind === "session" ? "token_revoked" : "token_invalid";
  return null;
}

/** The outcome for a caller who may use the route. */
function admitted(row: Row, state: State): Outcome {
  const { method, pattern, about, tool } = row;
  // The stranger is connected to the same workspace, and shares none of its pages with the subject.
  const isThere = { page: state === "valid", own: state === "valid", workspace: state !== "workspace gone" };
  const finds = about === null || isThere[about];
  if (pattern === "/api/v1/mcp") return tool === undefined || finds ? "200" : "200 node_not_found";
  if (!isRead(method)) return changed(row);
  if (isRisky(row) || pattern.includes("/requests/")) return "404 not_found";
  if (finds) return "200";
  return about === "page" ? "404 node_not_found" : "404 not_found";
}

/** The outcome of a request that would change something, with an empty body or without one. */
function changed({ method, pattern, about }: Row): Outcome {
  if (method === "POST" && (about === null || pattern.endsWith("/approve"))) return "400 invalid_request";
  return about === null ? "204" : "404 not_found";
}

/** The status and code of an answer. A tool tells a problem in its result. */
export function outcomeOf({ method, access, tool }: Row, { status, body }: RawAnswer): Outcome {
  if (access.kind === "open" || method === "HEAD") return String(status);
  if (tool !== undefined && body?.result?.isError === true)
    return `${status} ${/^\w+/.exec(body.result.content[0].text)?.[0]}`;
  if (tool !== undefined && status === 200 && body?.result === undefined) return "200 without a result";
  return status < 400 ? String(status) : `${status} ${body?.code}`;
}

/** The challenge that belongs to an outcome (ERR-3; RFC 6750, section 3.1); null for none. */
export function challengeOf({ pattern, needs }: Row, outcome: Outcome): RegExp | null {
  const start = pattern === "/api/v1/mcp" ? 'resource_metadata="[^"]+", scope="[^"]+"' : 'realm="clew"';
  if (outcome === "401 unauthenticated") return new RegExp(`^Bearer ${start}$`);
  if (outcome.startsWith("401 ")) return new RegExp(`^Bearer ${start}, error="invalid_token"`);
  if (outcome === "403 wrong_token_type") return /^Bearer realm="clew"$/;
  if (outcome !== "403 insufficient_scope") return null;
  return new RegExp(`^Bearer realm="clew", error="insufficient_scope", scope="${needs.join(" ")}"$`);
}

/** The parameters that the table of operations says need more scopes, or a session, as the policy lists them. */
export const declaredParameters = Object.values<Operation>(graphOperations).flatMap(
  ({ path, parameterScopes: more = {}, sessionParameters: own = [] }) =>
    [...Object.keys(more), ...own].map((name) => `${path.replace(/\/$/, "")} ${name}`),
);
