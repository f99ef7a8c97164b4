import { Readable } from "node:stream";
import {
  Changes,
  Content,
  ContentQuery,
  Context,
  ContextQuery,
  Edges,
  EdgesQuery,
  ExportLine,
  ExportQuery,
  exportMediaTypes,
  FollowQuery,
  type GraphOperation,
  graphLimits,
  graphOperations,
  MapNodes,
  MapNodesQuery,
  mapFormat,
  maxWaitSeconds,
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
  presentedTokenOperation,
  Recent,
  RecentQuery,
  Related,
  RelatedQuery,
  Rows,
  RowsQuery,
  ref,
  SearchQuery,
  SearchResults,
  TextQuery,
  TextResults,
  Tree,
  TreeQuery,
  WorkspaceList,
  workspaceOperations,
} from "@clew/contract";
import type { FastifyReply, FastifyRequest, FastifySchema } from "fastify";
import { Type } from "typebox";
import { type Access, holdsAll, requireServiceToken, requireSession } from "../../auth/gate.ts";
import { entityTag, matchesEntityTag, negotiate } from "../../http/content-negotiation.ts";
import { responseClosed } from "../../http/response-closed.ts";
import { type App, responseTimeoutMs } from "../../http/server.ts";
import { ApiError } from "../../model/api-error.ts";
import type { KnownCaller } from "../../model/caller.ts";
import { createChangeWaits } from "../../operations/change-waits.ts";
import { context } from "../../operations/context.ts";
import { edges } from "../../operations/edges.ts";
import { exportGraph } from "../../operations/export.ts";
import { map, mapNodes } from "../../operations/map.ts";
import { content, node, nodes } from "../../operations/nodes.ts";
import { locatePart } from "../../operations/outline.ts";
import { recent } from "../../operations/recent.ts";
import { related } from "../../operations/related.ts";
import {
  type Audience,
  type QueryServices,
  type RequestContext,
  readableConnectionsOf,
} from "../../operations/request-context.ts";
import { rows, tableOf } from "../../operations/rows/rows.ts";
import { search } from "../../operations/search.ts";
import { searchTexts } from "../../operations/texts.ts";
import { tree } from "../../operations/tree.ts";
import { neighbors, paths } from "../../operations/walks.ts";
import { describeWorkspaces, workspaces } from "../../operations/workspaces.ts";
import { presentContent } from "../../present/graph.ts";
import { presentCsv, presentMarkdownTable } from "../../present/table.ts";
import { presentPresentedToken } from "../../present/token.ts";
import { linkNextPage, nextLink } from "../list-page.ts";
import { noQuery } from "../session-route.ts";
import { WorkspacePath } from "../workspace-path.ts";

/** The path parameters of operations on one node. */
const NodePath = Type.Object({
  id: Type.String({ description: "The node's id, with or without dashes" }),
});

/** With the reply, a query stops waiting for its turn once the client has gone. */
type ContextOf = (request: FastifyRequest, reply?: FastifyReply) => RequestContext;

/**
 * The routes of both audiences: below `/api/v1` for service tokens, below `/api/provider-graph` for sessions. Each one
 * validates a request, calls the operation of its name, and passes on the operation's result (GRAPH-1 to GRAPH-8,
 * GRAPH-11, GRAPH-14, GRAPH-16, GRAPH-23).
 */
export async function graphRoutes(app: App, services: QueryServices): Promise<void> {
  const { audience } = services;
  const contextOf: ContextOf = (request, reply) => {
    const caller = audience === "v1" ? requireServiceToken(request) : requireSession(request);
    return { services, caller, ...(reply && { signal: responseClosed(reply) }) };
  };

  const overviewRoute = routeOf(audience, "overview", {
    querystring: noQuery,
    response: { 200: ref(Overview) },
  });
  app.get(overviewRoute.path, overviewRoute.options, async (request) => {
    const ctx = contextOf(request);
    return {
      workspaces: await describeWorkspaces(services, readableConnectionsOf(ctx), ctx.caller),
      operations: operationsFor(ctx.caller, audience, app.prefix),
    };
  });

  const workspacesRoute = routeOf(audience, "workspaces", {
    querystring: noQuery,
    response: { 200: ref(WorkspaceList) },
  });
  app.get(workspacesRoute.path, workspacesRoute.options, (request) => workspaces(contextOf(request)));

  const searchRoute = routeOf(audience, "search", {
    querystring: SearchQuery,
    response: { 200: ref(SearchResults) },
  });
  app.get(searchRoute.path, searchRoute.options, async (request, reply) =>
    linkNextPage(request, reply, await search(contextOf(request), request.query)),
  );

  const textRoute = routeOf(audience, "text", {
    querystring: TextQuery,
    response: { 200: ref(TextResults) },
  });
  app.get(textRoute.path, textRoute.options, async (request, reply) =>
    linkNextPage(request, reply, await searchTexts(contextOf(request, reply), request.query)),
  );

  const nodesRoute = routeOf(audience, "nodes", { querystring: NodesQuery, response: { 200: ref(Nodes) } });
  app.get(nodesRoute.path, nodesRoute.options, (request) => nodes(contextOf(request), request.query));

  const nodeRoute = routeOf(audience, "node", {
    params: NodePath,
    querystring: noQuery,
    response: { 200: ref(NodeDetail) },
  });
  app.get(nodeRoute.path, nodeRoute.options, (request) => node(contextOf(request), request.params));

  registerContentRoute(app, audience, contextOf);
  registerContextRoute(app, audience, contextOf);
  registerRowsRoute(app, audience, contextOf);

  const neighborsRoute = routeOf(audience, "neighbors", {
    params: NodePath,
    querystring: NeighborsQuery,
    response: { 200: ref(Neighbors) },
  });
  app.get(neighborsRoute.path, neighborsRoute.options, async (request, reply) =>
    linkNextPage(request, reply, await neighbors(contextOf(request), request.params, request.query)),
  );

  const edgesRoute = routeOf(audience, "edges", { querystring: EdgesQuery, response: { 200: ref(Edges) } });
  app.get(edgesRoute.path, edgesRoute.options, (request) => edges(contextOf(request), request.query));

  const pathsRoute = routeOf(audience, "paths", { querystring: PathsQuery, response: { 200: ref(Paths) } });
  app.get(pathsRoute.path, pathsRoute.options, (request) => paths(contextOf(request), request.query));

  const relatedRoute = routeOf(audience, "related", {
    params: NodePath,
    querystring: RelatedQuery,
    response: { 200: ref(Related) },
  });
  app.get(relatedRoute.path, relatedRoute.options, (request) =>
    related(contextOf(request), request.params, request.query),
  );

  const treeRoute = routeOf(audience, "tree", { querystring: TreeQuery, response: { 200: ref(Tree) } });
  app.get(treeRoute.path, treeRoute.options, async (request, reply) =>
    linkNextPage(request, reply, await tree(contextOf(request), request.query)),
  );

  registerChangesRoute(app, services, contextOf);

  registerExportRoute(app, audience, contextOf);
  registerMapRoute(app, audience, contextOf);

  const mapNodesRoute = routeOf(audience, "mapNodes", {
    params: WorkspacePath,
    querystring: MapNodesQuery,
    response: { 200: ref(MapNodes) },
  });
  app.get(mapNodesRoute.path, mapNodesRoute.options, (request) =>
    mapNodes(contextOf(request), request.params, request.query),
  );

  const recentRoute = routeOf(audience, "recent", {
    querystring: RecentQuery,
    response: { 200: ref(Recent) },
  });
  app.get(recentRoute.path, recentRoute.options, async (request, reply) =>
    linkNextPage(request, reply, await recent(contextOf(request), request.query)),
  );

  if (audience === "v1") registerTokenRoute(app);
}

/** Path and options of an operation's route. Only service tokens have scopes. */
function routeOf<const Schema extends FastifySchema>(
  audience: Audience,
  operation: GraphOperation,
  schema: Schema,
) {
  const { path, scopes, parameterScopes = {} }: Operation = graphOperations[operation];
  const access: Access =
    audience === "v1" ? { kind: "service-token", scopes, parameterScopes } : { kind: "session" };
  return { path, options: { config: { access }, schema: { ...schema } } };
}

/** `GET …/changes/`: the changes since a cursor, which the request may wait for (GRAPH-11, GRAPH-27). */
function registerChangesRoute(app: App, services: QueryServices, contextOf: ContextOf): void {
  const waits = createChangeWaits(services);
  // Before the server waits for the requests that it still serves.
  app.addHook("preClose", async () => waits.close());
  const { path, options } = routeOf(services.audience, "changes", {
    querystring: FollowQuery,
    response: { 200: ref(Changes) },
  });
  const handlerTimeout = responseTimeoutMs + maxWaitSeconds * 1000;
  app.get(path, { ...options, handlerTimeout }, async (request, reply) => {
    const renew = async () => {
      request.caller = await request.confirmCaller();
      return contextOf(request);
    };
    const page = await waits.follow(contextOf(request), request.query, {
      renew,
      signal: responseClosed(reply),
    });
    // The last page has a cursor too, for later: it is not linked.
    return page.more ? linkNextPage(request, reply, page) : page;
  });
}

/** The media type of a response. Throws `ApiError` `not_acceptable`, whose detail begins with `what`. */
function acceptedType<MediaType extends string>(
  { headers }: FastifyRequest,
  offered: readonly MediaType[],
  what: string,
): MediaType {
  const mediaType = negotiate(headers.accept, offered);
  if (mediaType !== null) return mediaType;
  throw new ApiError("not_acceptable", `${what} available as ${offered.join(" or as ")}.`);
}

/** The first is the default. */
const mediaTypes = ["application/json", "text/markdown"] as const;

/** `GET …/nodes/<id>/content/`: a page's text, as JSON or as plain Markdown (GRAPH-5). */
function registerContentRoute(app: App, audience: Audience, contextOf: ContextOf): void {
  const partOfText = {
    description: "A part of the text",
    content: { "application/json": { schema: ref(Content) }, "text/markdown": { schema: Type.String() } },
  };
  const unchanged = Type.Null({ description: "The client already has this part of the text" });
  const { path, options } = routeOf(audience, "content", {
    params: NodePath,
    querystring: ContentQuery,
    response: { 200: partOfText, 304: unchanged },
  });
  app.get(path, options, async (request, reply) => {
    const { include, max_chars: maxChars = graphLimits.content.standardChars } = request.query;
    const mediaType = acceptedType(request, mediaTypes, "Texts are");
    const ctx = contextOf(request, reply);
    const text = await content(ctx, request.params);
    const wantsOutline = include !== undefined && mediaType === "application/json";
    const { offset, outline } = await locatePart(ctx, text, request.query, wantsOutline);
    const tag = entityTag([text.digest, text.updatedAt, mediaType, offset, maxChars, String(wantsOutline)]);
    // Clients may store it but must revalidate: the text may change and access may end (ERR-6).
    reply.headers({ etag: tag, "cache-control": "private, no-cache" });
    if (matchesEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
    const part = presentContent(text, { offset, maxChars }, outline);
    if (part.next_offset !== null)
      reply.header("link", nextLink(request.url, "offset", String(part.next_offset), ["heading"]));
    return mediaType === "application/json" ? part : sendText(reply, "text/markdown", part.markdown);
  });
}

/** `GET …/context/`: passages that answer a question, as JSON or as plain Markdown (GRAPH-22). */
function registerContextRoute(app: App, audience: Audience, contextOf: ContextOf): void {
  const found = {
    description: "The passages, with the pages that they are from",
    content: { "application/json": { schema: ref(Context) }, "text/markdown": { schema: Type.String() } },
  };
  const { path, options } = routeOf(audience, "context", {
    querystring: ContextQuery,
    response: { 200: found },
  });
  app.get(path, options, async (request, reply) => {
    const mediaType = acceptedType(request, mediaTypes, "A context is");
    const gathered = await context(contextOf(request, reply), request.query);
    return mediaType === "application/json" ? gathered : sendText(reply, "text/markdown", gathered.markdown);
  });
}

/** What people wrote is on Clew's origin: browsers must not run anything in it (ERR-6). */
function sendText(reply: FastifyReply, mediaType: "text/markdown" | "text/csv", text: string): FastifyReply {
  return reply.type(`${mediaType}; charset=utf-8`).header("content-security-policy", "sandbox").send(text);
}

/** `GET …/nodes/<id>/rows/`: rows of a database, as JSON or as a table (GRAPH-23). */
function registerRowsRoute(app: App, audience: Audience, contextOf: ContextOf): void {
  const table = Type.String({ description: "The id of each row, then its columns" });
  const { path, options } = routeOf(audience, "rows", {
    params: NodePath,
    querystring: RowsQuery,
    response: {
      200: {
        description: "Rows of the database",
        content: {
          "application/json": { schema: ref(Rows) },
          "text/csv": { schema: table },
          "text/markdown": { schema: table },
        },
      },
    },
  });
  const offered = ["application/json", "text/csv", "text/markdown"] as const;
  app.get(path, options, async (request, reply) => {
    const mediaType = acceptedType(request, offered, "Rows are");
    const page = linkNextPage(
      request,
      reply,
      await rows(contextOf(request, reply), request.params, request.query),
    );
    if (mediaType === "application/json") return page;
    // A table has no place for it.
    if (page.truncated) reply.header("x-truncated", "true");
    const present = mediaType === "text/csv" ? presentCsv : presentMarkdownTable;
    return sendText(reply, mediaType, present(tableOf(page)));
  });
}

/** `GET …/export/`: the whole graph as a stream (GRAPH-26). */
function registerExportRoute(app: App, audience: Audience, contextOf: ContextOf): void {
  const { path, options } = routeOf(audience, "export", {
    querystring: ExportQuery,
    response: {
      200: {
        description: "The graph. A stream that fails is broken off; JSON lines then lack their `end`",
        content: {
          // The schema of each line.
          [exportMediaTypes.jsonl]: { schema: ref(ExportLine) },
          [exportMediaTypes.csv]: { schema: Type.String({ description: "RFC 4180, with a line of names" }) },
          [exportMediaTypes.graphml]: { schema: Type.String() },
        },
      },
      304: Type.Null({ description: "The client already has this version of the graph" }),
    },
  });
  app.get(path, options, async (request, reply) => {
    const ctx = contextOf(request);
    const { version, chunks } = await exportGraph(ctx, request.query, () => request.confirmCaller());
    const tag = entityTag(version);
    reply.headers({ etag: tag, "cache-control": "private, no-cache" });
    if (matchesEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
    const isHead = request.method === "HEAD";
    const body = isHead ? Readable.from([]) : ctx.services.exports.open(ctx.caller.userId, chunks());
    return sendExport(reply, request.query, body);
  });
}

/** As a file, in which browsers must not run anything: it has user content on Clew's origin (ERR-6). */
function sendExport(
  reply: FastifyReply,
  { format = "jsonl", part }: ExportQuery,
  body: Readable,
): FastifyReply {
  const name = `clew${part === undefined ? "" : `-${part}`}.${format}`;
  return reply
    .type(`${exportMediaTypes[format]}; charset=utf-8`)
    .header("content-disposition", `attachment; filename="${name}"`)
    .header("content-security-policy", "sandbox")
    .send(body);
}

/** `GET …/workspaces/<id>/map/`: the map of a workspace, as bytes (GRAPH-30). */
function registerMapRoute(app: App, audience: Audience, contextOf: ContextOf): void {
  const { path, options } = routeOf(audience, "map", {
    params: WorkspacePath,
    querystring: noQuery,
    response: {
      200: {
        description: "The map",
        content: {
          [mapFormat.mediaType]: { schema: Type.Unsafe<Buffer>({ type: "string", format: "binary" }) },
        },
      },
      304: Type.Null({ description: "The client already has the map of this version of the graph" }),
    },
  });
  app.get(path, options, async (request, reply) => {
    const { version, bytes } = await map(contextOf(request), request.params);
    const tag = entityTag(version);
    reply.headers({ etag: tag, "cache-control": "private, no-cache" });
    if (matchesEntityTag(request.headers["if-none-match"], tag)) return reply.code(304).send(null);
    return reply.type(mapFormat.mediaType).send(await bytes());
  });
}

/** `GET /api/v1/token/`: the presented service token (GRAPH-14). */
function registerTokenRoute(app: App): void {
  const { path, scopes } = presentedTokenOperation;
  const config = { access: { kind: "service-token", scopes } } as const;
  const schema = { querystring: noQuery, response: { 200: ref(PresentedToken) } };
  app.get(path, { config, schema }, async (request) => presentPresentedToken(requireServiceToken(request)));
}

/** The operations that the caller's credentials permit, each with its path below the audience's prefix. */
function operationsFor(caller: KnownCaller, audience: Audience, prefix: string): Overview["operations"] {
  const below = (path: string) => prefix + path.replace(":id", "{id}");
  const shared = Object.entries<Operation>(graphOperations)
    .filter(([, { scopes }]) => caller.kind === "session" || holdsAll(caller, scopes))
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
