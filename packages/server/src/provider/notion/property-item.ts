import { at, listAt, textAt } from "./json.ts";

/** Values of a list that a page shows of a property; the rest must be paged through. */
const shown = 25;

/**
 * Whether a page shows only the first values of a property.
 * https://developers.notion.com/reference/retrieve-a-page#limits
 */
export function isCut(property: unknown): boolean {
  const type = textAt(property, "type");
  if (textAt(property, "id") === null) return false;
  switch (type) {
    case "relation":
      return at(property, "has_more") === true;
    case "title":
    case "rich_text":
    case "people":
      return listAt(property, type).length >= shown;
    case "rollup":
      return (
        textAt(property, "rollup", "type") === "incomplete" ||
        listAt(property, "rollup", "array").length >= shown
      );
    default:
      return false;
  }
}

/**
 * Puts a property together again from the answers that hold it in pieces, shaped as a page shows it.
 * A short one comes whole, as the only answer.
 * https://developers.notion.com/reference/property-item-object
 */
export function propertyOfItems(answers: readonly unknown[]): unknown {
  const last = answers.at(-1);
  if (textAt(last, "object") !== "list") return last;
  const type = textAt(last, "property_item", "type");
  if (type === null) return null;
  const items = answers.flatMap((answer) => listAt(answer, "results"));
  if (type !== "rollup") return { type, [type]: items.map((item) => at(item, type)) };
  const rollup = at(last, "property_item", "rollup");
  return textAt(rollup, "type") === "array"
    ? { type, rollup: { type: "array", array: items.map(asShown) } }
    : { type, rollup };
}

/** What a page shows as a list comes one entry an item. */
function asShown(item: unknown): unknown {
  const type = textAt(item, "type");
  if (type === null || !listed.has(type)) return item;
  const value = at(item, type);
  return Array.isArray(value) ? item : { type, [type]: [value] };
}

const listed = new Set(["title", "rich_text", "people", "relation"]);
