import {
  Changes,
  ChangesQuery,
  closed,
  graphOperations,
  type Named,
  Neighbors,
  NeighborsQuery,
  NodeDetail,
  Nodes,
  NodesQuery,
  type Operation,
  Overview,
  Paths,
  PathsQuery,
  PresentedToken,
  Problem,
  presentedTokenOperation,
  ref,
  SearchQuery,
  SearchResults,
  WorkspaceList,
  workspaceOperations,
} from "@clew/contract";
import type { TSchema } from "typebox";
import { holdsAll, requireServiceToken } from "../../auth/gate.ts";
import type { Reader } from "../../graph-cache/readable.ts";
import type { App } from "../../http/server.ts";
import { changes } from "../../operations/changes.ts";
import { node, nodes } from "../../operations/nodes.ts";
import {
  type Audience,
  type QueryServices,
  readableConnectionsOf,
} from "../../operations/request-context.ts";
import { search } from "../../operations/search.ts";
import { neighbors, paths } from "../../operations/walks.ts";
import { describeWorkspaces, workspaces } from "../../operations/workspaces.ts";
import { presentPresentedToken } from "../../present/token.ts";
import { linkNextPage } from "../list-page.ts";
import { contextOf, NodePath, routeOf } from "./audience.ts";
import { contentRoute } from "./content.ts";

/**
 * The routes of both audiences: below `/api/v1` for service tokens, below `/api/provider-graph` for sessions. Each one
 * validates a request, calls the operation of its name, and passes on the operation's result (GRAPH-1 to GRAPH-8,
 * GRAPH-11, GRAPH-14, GRAPH-16).
 */
export async function graphRoutes(app: App, services: QueryServices): Promise<void> {
  overviewRoute(app, services);
  workspacesRoute(app, services);
  searchRoute(app, services);
  nodesRoute(app, services);
  nodeRoute(app, services);
  contentRoute(app, services);
  neighborsRoute(app, services);
  pathsRoute(app, services);
  changesRoute(app, services);
  if (services.audience === "v1") presentedTokenRoute(app);
}

/** The responses of a route whose success is one message of the contract. */
const responses = <Schema extends TSchema>(message: Named<Schema>) => ({
  200: ref(message),
  default: ref(Problem),
});

/** The readable workspaces, their size and freshness (GRAPH-1). */
function workspacesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "workspaces");
  const schema = { summary, querystring: closed({}), response: responses(WorkspaceList) };
  app.get(path, { config, schema }, (request) => workspaces(contextOf(services, request)));
}

/** Nodes by title (GRAPH-2, GRAPH-3). */
function searchRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "search");
  const schema = { summary, querystring: SearchQuery, response: responses(SearchResults) };
  app.get(path, { config, schema }, async (request, reply) => {
    const results = await search(contextOf(services, request), request.query);
    return linkNextPage(request, reply, results);
  });
}

/** Several nodes at once (GRAPH-6). */
function nodesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "nodes");
  const schema = { summary, querystring: NodesQuery, response: responses(Nodes) };
  app.get(path, { config, schema }, (request) => nodes(contextOf(services, request), request.query));
}

/** One node in detail (GRAPH-4). */
function nodeRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "node");
  const schema = { summary, params: NodePath, querystring: closed({}), response: responses(NodeDetail) };
  app.get(path, { config, schema }, (request) => node(contextOf(services, request), request.params));
}

/** The neighbours of a node, nearest first (GRAPH-7). */
function neighborsRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "neighbors");
  const schema = { summary, params: NodePath, querystring: NeighborsQuery, response: responses(Neighbors) };
  app.get(path, { config, schema }, async (request, reply) => {
    const page = await neighbors(contextOf(services, request), request.params, request.query);
    return linkNextPage(request, reply, page);
  });
}

/** The shortest simple paths between two nodes (GRAPH-8). */
function pathsRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "paths");
  const schema = { summary, querystring: PathsQuery, response: responses(Paths) };
  app.get(path, { config, schema }, (request) => paths(contextOf(services, request), request.query));
}

/** Nodes that were added, changed or removed since a cursor (GRAPH-11). */
function changesRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "changes");
  const schema = { summary, querystring: ChangesQuery, response: responses(Changes) };
  app.get(path, { config, schema }, async (request, reply) => {
    const page = await changes(contextOf(services, request), request.query);
    // The last page has a cursor too, for later: it is not linked.
    return page.more ? linkNextPage(request, reply, page) : page;
  });
}

/** `GET /api/v1/token/`: the presented service token (GRAPH-14). */
function presentedTokenRoute(app: App): void {
  const { path, scopes, summary } = presentedTokenOperation;
  const config = { access: { kind: "service-token", scopes } } as const;
  const schema = { summary, querystring: closed({}), response: responses(PresentedToken) };
  app.get(path, { config, schema }, async (request) => presentPresentedToken(requireServiceToken(request)));
}

/** The workspaces and operations that the caller may use (GRAPH-16). */
function overviewRoute(app: App, services: QueryServices): void {
  const { path, summary, config } = routeOf(services.audience, "overview");
  const schema = { summary, querystring: closed({}), response: responses(Overview) };
  app.get(path, { config, schema }, async (request) => {
    const ctx = contextOf(services, request);
    const connections = readableConnectionsOf(ctx);
    return {
      workspaces: await describeWorkspaces(services, connections, ctx.reader),
      operations: operationsFor(ctx.reader, services.audience, app.prefix),
    };
  });
}

/** The operations that the caller's credentials permit, each with its path below the audience's prefix. */
function operationsFor(reader: Reader, audience: Audience, prefix: string): Overview["operations"] {
  const below = (path: string) => prefix + path.replace(":id", "{id}");
  const shared = Object.entries<Operation>(graphOperations)
    .filter(([, { scopes }]) => reader.kind === "session" || holdsAll(reader, scopes))
    .map(([name, { path, scopes, summary }]) => ({
      name,
      method: "GET" as const,
      path: below(path),
      scope: audience === "v1" ? scopes.join(" ") || null : null,
      summary,
    }));
  const own =
    audience === "v1"
      ? [{ name: "token", method: "GET" as const, ...presentedTokenOperation }]
      : Object.entries(workspaceOperations).map(([name, operation]) => ({ name, ...operation }));
  return [...shared, ...own.map((operation) => ({ ...operation, path: below(operation.path), scope: null }))];
}
