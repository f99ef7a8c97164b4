import type { CutProperty, ListedNode } from "../port.ts";
import { iconOf } from "./icon.ts";
import { entriesAt, idAt, isTrueAt, listAt, textAt, timeAt } from "./json.ts";
import { lastingHttpsUrl } from "./lasting-url.ts";
import { parentOf } from "./parent.ts";
import { isCut } from "./property-item.ts";
import { tallyProperty, threadsOfProperty } from "./property-threads.ts";
import { propertyValue } from "./property-value.ts";
import { plainText, tallyRichText } from "./rich-text.ts";
import { createThreadTally } from "./thread-tally.ts";

/**
 * Reads a page, a database, or a data source, which stands for its database. Null for anything else, and for a
 * page of which the provider discloses nothing but its id.
 * https://developers.notion.com/reference/page · /database · /data-source
 */
export function listedNode(json: unknown): ListedNode | null {
  switch (textAt(json, "object")) {
    case "page":
      return page(json);
    case "database":
      return database(json);
    case "data_source":
      return databaseOfDataSource(json);
    default:
      return null;
  }
}

function page(json: unknown): ListedNode | null {
  const id = idAt(json, "id");
  const named = entriesAt(json, "properties");
  const common = commonFields(json);
  if (id === null || common === null) return null;
  const title = named.find(([, property]) => textAt(property, "type") === "title")?.[1];
  const tally = createThreadTally();
  for (const [name, property] of named) if (!isCut(property)) tallyProperty(name, property, tally);
  return {
    ...common,
    ...tally.held(),
    id,
    type: "page",
    title: titleOf(listAt(title, "title")),
    parent: parentOf(json),
    properties: Object.fromEntries(named.map(([name, property]) => [name, propertyValue(property)])),
    cutProperties: named.flatMap(([name, property]) => cutProperty(name, property)),
    dataSourceIds: [],
  };
}

function cutProperty(name: string, property: unknown): CutProperty[] {
  const id = textAt(property, "id");
  return id !== null && isCut(property) ? [{ id, name, ...threadsOfProperty(name, property) }] : [];
}

function database(json: unknown): ListedNode | null {
  const id = idAt(json, "id");
  const common = commonFields(json);
  if (id === null || common === null) return null;
  const sources = listAt(json, "data_sources").map((source) => idAt(source, "id"));
  return {
    ...common,
    ...databaseFields(json),
    id,
    parent: parentOf(json),
    dataSourceIds: sources.filter((source) => source !== null),
  };
}

function databaseOfDataSource(json: unknown): ListedNode | null {
  const sourceId = idAt(json, "id");
  const id = idAt(json, "parent", "database_id");
  const common = commonFields(json);
  if (id === null || sourceId === null || common === null) return null;
  return {
    ...common,
    ...databaseFields(json),
    id,
    parent: parentOf(json, "database_parent"),
    dataSourceIds: [sourceId],
  };
}

function databaseFields(json: unknown) {
  const tally = createThreadTally();
  tallyRichText(listAt(json, "title"), tally);
  tallyRichText(listAt(json, "description"), tally);
  return {
    ...tally.held(),
    type: "database",
    title: titleOf(listAt(json, "title")),
    properties: {},
    cutProperties: [],
  } as const;
}

/** What all kinds have alike; null where the time of the last edit, which every full object has, is missing. */
function commonFields(json: unknown) {
  const updatedAt = timeAt(json, "last_edited_time");
  if (updatedAt === null) return null;
  return {
    icon: iconOf(json),
    url: lastingHttpsUrl(textAt(json, "url")),
    createdAt: timeAt(json, "created_time") ?? updatedAt,
    updatedAt,
    inTrash: isTrueAt(json, "in_trash") || isTrueAt(json, "archived"),
  };
}

/** Titles are one line. */
function titleOf(items: readonly unknown[]): string {
  return plainText(items).replaceAll(/\s+/g, " ").trim();
}
