import type { Entry } from "../workspace/entry.ts";
import type { JsonObject } from "./json.ts";
import { historyJson, iconJson, parentJson } from "./parts.ts";
import { propertyJson } from "./property-json.ts";
import type { View } from "./view.ts";
import { visibleProperties } from "./visible-properties.ts";

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
