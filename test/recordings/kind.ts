import { at, listAt, textAt } from "./recording.ts";

/** The kinds of recordings. */
export const kinds = [
  "page",
  "database",
  "data source",
  "block",
  "old block",
  "Markdown",
  "search or query",
  "filtered query",
  "blocks",
  "property",
  "rich text",
  "comment",
  "comments",
  "person or bot",
  "people and bots",
  "templates",
  "error",
] as const;

export type Kind = (typeof kinds)[number];

const kindOfObject: Readonly<Record<string, Kind>> = {
  page: "page",
  database: "database",
  data_source: "data source",
  block: "block",
  page_markdown: "Markdown",
  property_item: "property",
  comment: "comment",
  user: "person or bot",
  error: "error",
};

const kindOfList: Readonly<Record<string, Kind>> = {
  page_or_data_source: "search or query",
  page_or_database: "search or query",
  block: "blocks",
  property_item: "property",
  comment: "comments",
  user: "people and bots",
};

/** The kind of a recording, by its shape; null if it is unknown. */
export function kindOf(json: unknown): Kind | null {
  const object = textAt(json, "object");
  if (object === "list" && isFiltered(json)) return "filtered query";
  if (object === "list") return kindOfList[textAt(json, "type")] ?? null;
  if (object === "block" && isOldBlock(json)) return "old block";
  if (object !== "") return kindOfObject[object] ?? null;
  if (textAt(json, "plain_text") !== "") return "rich text";
  return Array.isArray(at(json, "templates")) ? "templates" : null;
}

/** Whether a list contains only some properties of its pages (`filter_properties`), and not their titles. */
function isFiltered(json: unknown): boolean {
  const pages = listAt(json, "results").filter((result) => textAt(result, "object") === "page");
  const typesOf = (page: unknown) =>
    Object.values(Object(at(page, "properties"))).map((property) => textAt(property, "type"));
  return (
    pages.length > 0 &&
    pages.every(
      (page) => typesOf(page).length > 0 && !typesOf(page).some((type) => type === "title" || type === ""),
    )
  );
}

/** Whether a block is from a version of the API in which blocks did not name their parents. */
function isOldBlock(json: unknown): boolean {
  return ["parent", "in_trash"].every((field) => at(json, field) === undefined);
}
