import { idOf } from "../workspace/ids.ts";
import type { Property, PropertyValue } from "../workspace/property.ts";
import type { Json, JsonObject } from "./json.ts";
import { richText } from "./rich-text.ts";
import type { View } from "./view.ts";

/** The most values of a list that a page object holds; the rest is paged through. */
const longestList = 25;

/** A property's value within a page object (https://developers.notion.com/reference/page-property-values). */
export function propertyJson({ id, value }: Property, view: View): JsonObject {
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
