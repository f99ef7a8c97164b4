import type { FastifyInstance } from "fastify";
import type { Json, JsonObject } from "../notion/json.ts";
import { itemsOf, valueJson } from "../notion/property-json.ts";
import { visibleProperties } from "../notion/visible-properties.ts";
import { isRecord } from "../workspace/front-matter.ts";
import type { Property } from "../workspace/property.ts";
import { notFound } from "./api-error.ts";
import type { ApiParts } from "./api-parts.ts";
import { findPage } from "./pages.ts";
import { pageOf, readPaging } from "./paging.ts";
import { readId } from "./reading.ts";

/** One property of a page: a list to page through where it is a text or a relation. */
export async function propertyRoutes(app: FastifyInstance, { viewOf }: ApiParts): Promise<void> {
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
