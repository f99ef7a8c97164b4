import { at, optionalList, requiredObject, requiredText, textAt, UnreadableError } from "./json.ts";

/** Values of a list that a page shows of a property; the rest must be paged through. */
const shown = 25;

/**
 * Whether a page shows only the first values of a property, as far as that is said: whoever shows as many as it ever
 * does, and does not say that these are all, may hold more.
 * https://developers.notion.com/reference/retrieve-a-page#limits
 */
export function isCut(property: unknown): boolean {
  const type = textAt(property, "type");
  switch (type) {
    case "relation": {
      const hasMore = at(property, "has_more");
      if (hasMore === undefined) return (optionalList(property, type)?.length ?? 0) >= shown;
      return hasMore !== false;
    }
    case "title":
    case "rich_text":
    case "people":
      return (optionalList(property, type)?.length ?? 0) >= shown;
    case "rollup":
      return (
        textAt(property, type, "type") === "incomplete" ||
        (optionalList(property, type, "array")?.length ?? 0) >= shown
      );
    default:
      return false;
  }
}

/**
 * Puts a property together again from the answers that hold it in pieces, shaped as a page shows it. Throws
 * `UnreadableError`. https://developers.notion.com/reference/property-item-object
 */
export function propertyOfItems(last: unknown, items: readonly unknown[]): unknown {
  const type = requiredText(last, "property_item", "type");
  if (type === "rollup") {
    const rollup = requiredObject(last, "property_item", type);
    return requiredText(rollup, "type") === "array"
      ? { type, rollup: { type: "array", array: items.map(asShown) } }
      : { type, rollup };
  }
  if (!listed.has(type)) throw new UnreadableError("a type that comes in pieces", ["property_item", "type"]);
  return { type, [type]: items.map((item) => requiredObject(item, type)) };
}

/** What a page shows as a list comes one entry an item. */
function asShown(item: unknown): unknown {
  const type = requiredText(item, "type");
  if (!listed.has(type)) return item;
  const value = at(item, type);
  return Array.isArray(value) ? item : { type, [type]: [value] };
}

const listed = new Set(["title", "rich_text", "people", "relation"]);
