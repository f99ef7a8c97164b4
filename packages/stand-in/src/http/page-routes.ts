import { type Entry, enhancedMarkdown, isRecord, type PlacedBlock, type Property } from "@clew/folder";
import type { FastifyInstance } from "fastify";
import { blockJson, entryBlockJson } from "../notion/block-json.ts";
import type { Json, JsonObject } from "../notion/object-json.ts";
import { itemsOf, pageJson, valueJson, visibleProperties } from "../notion/page-json.ts";
import type { View } from "../notion/view.ts";
import { ApiError, notFound } from "./api-error.ts";
import { listJson, pageOf, readPaging } from "./lists.ts";
import { type ApiServices, readId } from "./request.ts";

/** Pages, as objects and as Markdown. */
export async function pageRoutes(
  app: FastifyInstance,
  { viewOf, markdownBlockLimit }: ApiServices,
): Promise<void> {
  app.get("/v1/pages/:page_id", async (request) => {
    const view = viewOf(request);
    return pageJson(findPage(view, readId("page_id", request.params)), view);
  });

  app.get("/v1/pages/:page_id/markdown", async (request) => {
    const view = viewOf(request);
    const id = readId("page_id", request.params);
    const { page, blocks } = findText(view, id);
    const { markdown, leftOut } = enhancedMarkdown(page, blocks, view, markdownBlockLimit);
    return {
      object: "page_markdown",
      id,
      markdown,
      truncated: leftOut.length > 0,
      unknown_block_ids: leftOut,
    };
  });
}

/** The page with this id. Throws unless the grant shares it. */
function findPage(view: View, id: string): Entry {
  const page = view.entry(id);
  if (page?.kind !== "page") throw notFound("page", id);
  return page;
}

/** The text of a page, or the part of it that an earlier response left out. */
function findText(view: View, id: string): { page: Entry; blocks: readonly PlacedBlock[] } {
  const page = view.entry(id);
  if (page?.kind === "page") return { page, blocks: view.workspace.blocks(page) };
  const part = visibleBlock(view, id);
  if (part === null) throw notFound("page", id);
  return { page: part.page, blocks: [part.placed] };
}

/** One property of a page. Texts and relations are paginated lists. */
export async function propertyRoutes(app: FastifyInstance, { viewOf }: ApiServices): Promise<void> {
  app.get("/v1/pages/:page_id/properties/:property_id", async (request) => {
    const view = viewOf(request);
    const page = findPage(view, readId("page_id", request.params));
    const wanted = isRecord(request.params) ? String(request.params.property_id) : "";
    const property = visibleProperties(page, view).find(({ id }) => id === wanted);
    if (property === undefined) throw notFound("property", wanted);
    const items = itemsOf(property.value, view);
    const { id, value } = property;
    if (items === null)
      return { object: "property_item", type: value.type, id, [value.type]: valueJson(value) };
    return itemsJson(page.id, property, items, request.query);
  });
}

function itemsJson(
  pageId: string,
  { id, value }: Property,
  items: readonly Json[],
  query: unknown,
): JsonObject {
  const { type } = value;
  const part = pageOf(items, (_item, index) => `${id}/${index}`, readPaging("query", query));
  const path = `https://api.notion.com/v1/pages/${pageId}/properties/${id}`;
  return {
    object: "list",
    results: part.items.map((item) => ({ object: "property_item", type, id, [type]: item })),
    next_cursor: part.next,
    has_more: part.next !== null,
    type: "property_item",
    property_item: {
      id,
      next_url: part.next === null ? null : `${path}?start_cursor=${part.next}`,
      type,
      [type]: {},
    },
  };
}

/** Blocks. Pages and databases are blocks too. */
export async function blockRoutes(app: FastifyInstance, { viewOf }: ApiServices): Promise<void> {
  app.get("/v1/blocks/:block_id", async (request) => {
    const view = viewOf(request);
    return findBlock(view, readId("block_id", request.params));
  });

  app.get("/v1/blocks/:block_id/children", async (request) => {
    const view = viewOf(request);
    const { page, blocks } = findChildren(view, readId("block_id", request.params));
    const part = pageOf(blocks, ({ id }) => id, readPaging("query", request.query));
    return listJson(
      "block",
      part.items.map((placed) => blockJson(page, placed, view)),
      part.next,
    );
  });
}

function findBlock(view: View, id: string): JsonObject {
  const entry = view.entry(id);
  if (entry !== null) return entryBlockJson(entry, view);
  const found = visibleBlock(view, id);
  if (found === null) throw notFound("block", id);
  return blockJson(found.page, found.placed, view);
}

function findChildren(view: View, id: string) {
  const entry = view.entry(id);
  if (entry !== null) return { page: entry, blocks: view.workspace.blocks(entry) };
  const found = visibleBlock(view, id);
  if (found === null) throw notFound("block", id);
  if (found.placed.block.type === "unsupported") {
    throw new ApiError("validation_error", "Block type unsupported is not supported via the API.");
  }
  return { page: found.page, blocks: found.placed.children };
}

/** The block with this id and its page; null unless the grant shares the page. */
function visibleBlock(view: View, id: string): { page: Entry; placed: PlacedBlock } | null {
  const found = view.workspace.block(id);
  return found === null || view.entry(found.page.id) === null ? null : found;
}
