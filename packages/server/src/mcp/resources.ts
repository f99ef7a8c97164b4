import { graphLimits } from "@clew/contract";
import { search as searchTitles } from "@clew/graph";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  ResourceNotFoundError,
} from "@modelcontextprotocol/server";
import { insufficientScope } from "../auth/credentials.ts";
import { ApiError } from "../model/api-error.ts";
import { leftOut, notReadWhole, visibleText } from "../model/visible-text.ts";
import { content } from "../operations/nodes.ts";
import { oneLine, placeOf } from "../operations/page-names.ts";
import { pageScheme as scheme } from "../operations/page-references.ts";
import { shortestName } from "../operations/resolve.ts";
import { search } from "../operations/search.ts";
import { presentContent } from "../present/graph.ts";
import { formatTimestamp, presentLink } from "../present/values.ts";
import { withPipes } from "./answer/page-text.ts";
import { findPage } from "./pages.ts";
import type { ToolCall } from "./tool-call.ts";

/*
 * Pages as resources: people attach them to a conversation (AGT-6).
 */

const mimeType = "text/markdown";

export const pageUriTemplate = `${scheme}{page}`;

/** The template of all pages; `product` is the name that people give to them. */
export function pageTemplateOf(product: string) {
  return {
    uriTemplate: pageUriTemplate,
    name: "page",
    title: `A ${product} page`,
    description: "The text of a page, by its title, link or id",
    mimeType,
  };
}

const listedPages = 50;

/** The most important pages, for tokens that may search. */
export async function listResources(
  call: ToolCall,
): Promise<{ readonly resources: Resource[]; readonly pages: readonly string[] }> {
  if (!call.holds("graph:search")) return { resources: [], pages: [] };
  const { items } = await search(call.ctx, { sort: "importance", limit: listedPages });
  const resources = items.map(({ node }) => {
    const place = placeOf(call.graphs, node.id);
    return {
      uri: scheme + node.id,
      name: oneLine(node.title) || "Untitled",
      ...(place !== "" && { description: place }),
      mimeType,
      annotations: { lastModified: node.updated_at, priority: node.importance },
    };
  });
  return { resources, pages: items.map(({ node }) => node.id) };
}

/** The name or id of the page that an address of a resource has. */
export const nameInUri = (uri: string): string => (uri.startsWith(scheme) ? uri.slice(scheme.length) : uri);

/** A page's text. Throws `ProtocolError` if there is no such page. */
export async function readResource(
  call: ToolCall,
  uri: string,
): Promise<{ readonly resource: ReadResourceResult; readonly pages: readonly string[] }> {
  if (!uri.startsWith(scheme)) throw new ResourceNotFoundError(uri);
  if (!call.holds("graph:read"))
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, insufficientScope(["graph:read"]).message);
  const { node } = await pageOf(call, uri);
  const text = await content(call.ctx, { id: node.id });
  const range = { offset: 0, maxChars: graphLimits.content.standardChars };
  const { markdown, next_offset: next } = presentContent(text, range);
  const title = `# ${oneLine(node.title) || "Untitled"}`;
  const cut = next === null ? "" : `\n\n[The text continues: ${next} of ${text.totalChars} characters]`;
  const address = presentLink(node.url);
  const edited = `Edited ${formatTimestamp(node.updatedAt)}${address === null ? "" : ` · ${address}`}`;
  const { text: shown, hidden } = visibleText(`${title}\n\n${edited}\n\n${withPipes(markdown)}${cut}`);
  const notes = [...(text.truncated ? [notReadWhole] : []), ...(hidden === 0 ? [] : [leftOut(hidden)])];
  return {
    resource: { contents: [{ uri, mimeType, text: [shown, ...notes].join("\n\n") }] },
    pages: [node.id],
  };
}

async function pageOf(call: ToolCall, uri: string) {
  try {
    return await findPage(call, decodeURIComponent(uri.slice(scheme.length)));
  } catch (error) {
    if (error instanceof ApiError) throw new ResourceNotFoundError(uri, visibleText(error.message).text);
    throw new ResourceNotFoundError(uri);
  }
}

const completions = 20;

/** Titles that begin like a text or contain it; with the short id where several pages have the title. */
export async function completeTitle(
  call: ToolCall,
  typed: string,
): Promise<{ readonly titles: string[]; readonly pages: readonly string[] }> {
  const query = typed.trim().slice(0, graphLimits.queryLength);
  if (!call.holds("graph:search") || query === "") return { titles: [], pages: [] };
  const found = call.graphs
    .flatMap(({ graph }) => searchTitles(graph, { query, limit: completions }))
    .slice(0, completions);
  const titles = await Promise.all(found.map(({ node }) => shortestName(call, node)));
  return { titles, pages: found.map(({ node }) => node.id) };
}
