import { Readable } from "node:stream";
import {
  exportMediaTypes,
  type GraphInput,
  type GraphOperation,
  type GraphOutput,
  graphLimits,
  mapFormat,
  maxWaitSeconds,
} from "@clew/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import { entityTag, matchesEntityTag } from "../../http/content-negotiation.ts";
import { broken } from "../../operations/broken.ts";
import type { ChangeWaits } from "../../operations/change-waits.ts";
import { contextWithin } from "../../operations/context.ts";
import { edges } from "../../operations/edges.ts";
import { type Export, exportGraph } from "../../operations/export.ts";
import { mapWaitMs } from "../../operations/link-maps.ts";
import { map, mapNodes, type WorkspaceMap } from "../../operations/map.ts";
import { content, node, nodes, type WholeText } from "../../operations/nodes.ts";
import { locatePart } from "../../operations/outline.ts";
import { recent } from "../../operations/recent.ts";
import { related } from "../../operations/related.ts";
import type { RequestContext } from "../../operations/request-context.ts";
import { resolve } from "../../operations/resolve.ts";
import { rows, tableOf } from "../../operations/rows.ts";
import { search } from "../../operations/search.ts";
import { shownPages, shownRows } from "../../operations/shown-pages.ts";
import { searchTexts } from "../../operations/texts.ts";
import { tree } from "../../operations/tree.ts";
import { neighbors, paths } from "../../operations/walks.ts";
import { workspaces } from "../../operations/workspaces.ts";
import { presentContent } from "../../present/graph.ts";
import { presentCsv, presentMarkdownTable } from "../../present/table.ts";
import type { Outline } from "../../queries/jobs.ts";
import { linkNextPage, nextLink } from "../list-page.ts";
import { overview } from "./overview.ts";

/** One HTTP request to an operation, and its response. */
interface Exchange<Name extends GraphOperation> {
  readonly ctx: RequestContext;
  readonly input: GraphInput<Name>;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** The media type that the client prefers, of an operation that has JSON and others. */
  readonly mediaType: string;
  /** The requests of these routes that wait for changes. */
  readonly waits: ChangeWaits;
  /** The call as of now. Throws `ApiError`, a 401, if the credentials have ended. */
  renew(): Promise<RequestContext>;
}

/** A text, and where the part of it starts that is asked for. */
interface LocatedText {
  readonly text: WholeText;
  readonly offset: number;
  readonly outline: Outline | null;
}

/** Results that are more than a message of the contract. */
interface OwnResults {
  readonly content: LocatedText;
  readonly export: Export;
  readonly map: WorkspaceMap;
}

type Result<Name extends GraphOperation> = Name extends keyof OwnResults
  ? OwnResults[Name]
  : GraphOutput<Name>;

/** The server's part of an operation. The contract's table has the rest. */
export interface Handler<Name extends GraphOperation> {
  run(ctx: RequestContext, input: GraphInput<Name>, exchange: Exchange<Name>): Promise<Result<Name>>;
  /** The ids of the pages that the answer shows (APP-9). Called once it was sent; some may come twice. */
  pages(result: Result<Name>, input: GraphInput<Name>): Iterable<string>;
  /** Sets the headers, and returns the payload. Without it the result is the payload. */
  render?(result: Result<Name>, exchange: Exchange<Name>): unknown;
  /** Begins the detail of `not_acceptable`, for an operation of several media types. */
  readonly subject?: string;
  /** Milliseconds that a response may take besides the usual. */
  readonly extraTimeMs?: number;
}

const json = "application/json";

const linked = <Page extends { readonly next_cursor: string | null }>(
  page: Page,
  { request, reply }: Pick<Exchange<GraphOperation>, "request" | "reply">,
): Page => linkNextPage(request, reply, page);

export const handlers: { readonly [Name in GraphOperation]: Handler<Name> } = {
  overview: {
    run: (ctx, _, { request }) => overview(ctx, request.server.prefix),
    pages: shownPages.overview,
  },
  workspaces: { run: workspaces, pages: shownPages.workspaces },
  search: { run: search, pages: shownPages.search, render: linked },
  resolve: { run: resolve, pages: shownPages.resolve },
  text: { run: searchTexts, pages: shownPages.text, render: linked },
  context: {
    subject: "A context is",
    run: contextWithin,
    pages: shownPages.context,
    render: (found, { mediaType, reply }) =>
      mediaType === json ? found : sendText(reply, mediaType, found.markdown),
  },
  nodes: { run: nodes, pages: shownPages.nodes },
  node: { run: node, pages: shownPages.node },
  content: {
    subject: "Texts are",
    async run(ctx, input, exchange) {
      const text = await content(ctx, input);
      return { text, ...(await locatePart(ctx, text, input, wantsOutline(exchange))) };
    },
    pages: ({ text }) => [text.nodeId],
    render: renderContent,
  },
  rows: {
    subject: "Rows are",
    run: (ctx, query) => rows(ctx, query),
    pages: (page, { id }) => shownRows(id, page),
    render(page, { mediaType, request, reply }) {
      linkNextPage(request, reply, page);
      if (mediaType === json) return page;
      // A table has no place for it.
      if (page.truncated) reply.header("x-truncated", "true");
      const present = mediaType === "text/csv" ? presentCsv : presentMarkdownTable;
      return sendText(reply, mediaType, present(tableOf(page)));
    },
  },
  neighbors: { run: neighbors, pages: shownPages.neighbors, render: linked },
  edges: { run: edges, pages: shownPages.edges },
  paths: { run: paths, pages: shownPages.paths },
  related: { run: related, pages: shownPages.related },
  tree: { run: tree, pages: shownPages.tree, render: linked },
  map: {
    // One that is being made is waited for.
    extraTimeMs: mapWaitMs,
    run: map,
    // It has places, and names of regions.
    pages: () => [],
    async render({ version, bytes }, exchange) {
      if (sendUnchanged(exchange, version)) return exchange.reply;
      return exchange.reply.type(mapFormat.mediaType).send(await bytes());
    },
  },
  mapNodes: { run: mapNodes, pages: shownPages.mapNodes },
  broken: { run: broken, pages: shownPages.broken, render: linked },
  changes: {
    extraTimeMs: maxWaitSeconds * 1000,
    run: (ctx, input, { waits, renew }) => waits.follow(ctx, input, renew),
    pages: shownPages.changes,
    // The last page has a cursor too, for later: it is not linked.
    render: (page, exchange) => (page.more ? linked(page, exchange) : page),
  },
  export: {
    run: (ctx, input, { request }) => exportGraph(ctx, input, () => request.confirmCaller()),
    pages: ({ pages }) => pages(),
    render: renderExport,
  },
  recent: { run: recent, pages: shownPages.recent, render: linked },
};

/**
 * Adds the entity tag of what a response depends on: clients may store it, but must revalidate, because what it shows may change and
 * access may end (ERR-6). Sends 304 and returns true if the client has it already.
 */
function sendUnchanged(
  { request, reply }: Pick<Exchange<GraphOperation>, "request" | "reply">,
  facts: Parameters<typeof entityTag>[0],
): boolean {
  const tag = entityTag(facts);
  reply.headers({ etag: tag, "cache-control": "private, no-cache" });
  if (!matchesEntityTag(request.headers["if-none-match"], tag)) return false;
  reply.code(304).send(null);
  return true;
}

/** The outline is a part of the JSON alone. */
const wantsOutline = ({ input, mediaType }: Exchange<"content">): boolean =>
  input.include !== undefined && mediaType === json;

/** A page's text, as JSON or as plain Markdown (GRAPH-5). */
function renderContent({ text, offset, outline }: LocatedText, exchange: Exchange<"content">): unknown {
  const { input, mediaType, request, reply } = exchange;
  const { max_chars: maxChars = graphLimits.content.standardChars } = input;
  const about = [mediaType, offset, maxChars, String(wantsOutline(exchange))];
  if (sendUnchanged(exchange, [text.digest, text.updatedAt, String(text.truncated), ...about])) return reply;
  const part = presentContent(text, { offset, maxChars }, outline);
  if (part.next_offset !== null)
    reply.header("link", nextLink(request.url, "offset", String(part.next_offset), ["heading"]));
  return mediaType === json ? part : sendText(reply, mediaType, part.markdown);
}

/** The whole graph as a file, in which browsers must not run anything: it has user content on Clew's origin (ERR-6, GRAPH-26). */
function renderExport({ version, chunks }: Export, exchange: Exchange<"export">): FastifyReply {
  const { ctx, input, request, reply } = exchange;
  if (sendUnchanged(exchange, version)) return reply;
  const { format = "jsonl", part } = input;
  const isHead = request.method === "HEAD";
  const body = isHead ? Readable.from([]) : ctx.services.exports.open(ctx.caller.userId, chunks());
  return reply
    .type(`${exportMediaTypes[format]}; charset=utf-8`)
    .header(
      "content-disposition",
      `attachment; filename="clew${part === undefined ? "" : `-${part}`}.${format}"`,
    )
    .header("content-security-policy", "sandbox")
    .send(body);
}

/** Sends text that people wrote. It is on Clew's origin: browsers must not run anything in it (ERR-6). */
function sendText(reply: FastifyReply, mediaType: string, text: string): FastifyReply {
  return reply.type(`${mediaType}; charset=utf-8`).header("content-security-policy", "sandbox").send(text);
}
