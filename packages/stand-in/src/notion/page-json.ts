import { type Entry, idOf, type Property, type PropertySchema, type PropertyValue } from "@clew/folder";
import { historyJson, iconJson, type Json, type JsonObject, parentJson } from "./object-json.ts";
import { richText } from "./rich-text.ts";
import type { View } from "./view.ts";

/** A page object (https://developers.notion.com/reference/page), and the names besides its title, which Notion has not. */
export function pageJson(page: Entry, view: View): JsonObject {
  const properties = visibleProperties(page, view).map((property) => [
    property.name,
    propertyJson(property, view),
  ]);
  return {
    object: "page",
    id: page.id,
    ...historyJson(page, view.workspace),
    cover: null,
    icon: iconJson(page.icon),
    parent: parentJson(page),
    in_trash: page.inTrash,
    is_archived: false,
    is_locked: false,
    properties: Object.fromEntries(properties),
    aliases: [...page.aliases],
    url: view.addresses.of(page),
    public_url: null,
  };
}

/** The most values of a list that a page object holds; the rest is paged through. */
const longestList = 25;

/** A property's value within a page object (https://developers.notion.com/reference/page-property-values). */
function propertyJson({ id, value }: Property, view: View): JsonObject {
  const items = itemsOf(value, view);
  if (items === null) return { id, type: value.type, [value.type]: valueJson(value) };
  const first = { id, type: value.type, [value.type]: items.slice(0, longestList) };
  return value.type === "relation" ? { ...first, has_more: items.length > longestList } : first;
}

/** The parts of a value that the provider pages through: texts and relations; null for a simple value. */
export function itemsOf(value: PropertyValue, view: View): readonly Json[] | null {
  if (value.type === "title" || value.type === "rich_text") return richText(value.text, view);
  if (value.type === "relation") return value.ids.map((id) => ({ id }));
  return null;
}

/** A simple value. */
export function valueJson(value: PropertyValue): Json {
  switch (value.type) {
    case "number":
      return value.number;
    case "checkbox":
      return value.checked;
    case "url":
    case "email":
      return value.address;
    case "date":
      return value.date === null ? null : { ...value.date, time_zone: null };
    case "select":
    case "status":
      return value.option === null ? null : optionJson(value.option);
    case "multi_select":
      return value.options.map(optionJson);
    default:
      return null;
  }
}

/** A choice of a select, multi-select or status. */
export function optionJson(name: string): JsonObject {
  return { id: idOf("option", name), name, color: "default" };
}

/**
 * The properties of a page that a grant shows. As in Notion, relations to a database that is not shared are left out
 * (https://developers.notion.com/reference/property-object#relation).
 */
export function visibleProperties(page: Entry, view: View): readonly Property[] {
  const database = page.parent;
  const properties = view.workspace.properties(page);
  if (database === null || database.schema === null) return properties;
  const visible = new Set(visibleColumns(database, view).map(({ name }) => name));
  return properties.filter(({ name, value }) => value.type !== "relation" || visible.has(name));
}

/** The columns of a database that a grant shows. */
export function visibleColumns(database: Entry, view: View): readonly PropertySchema[] {
  const columns = database.schema?.properties ?? [];
  return columns.filter(
    (column) => column.type !== "relation" || relatedDatabase(database, column, view) !== null,
  );
}

/** The target database of a relation; null unless the grant shares it. */
export function relatedDatabase(database: Entry, column: PropertySchema, view: View): Entry | null {
  const related = column.database === null ? null : view.workspace.related(database, column.database);
  return related === null ? null : view.entry(related.id);
}
