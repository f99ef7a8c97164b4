import type { CutProperty, ListedNode } from "../port.ts";
import { type Dialect, notionDialect } from "./dialect.ts";
import { iconOf } from "./icon.ts";
import { entriesAt, idAt, isTrueAt, listAt, textAt, timeAt } from "./json.ts";
import { lastingUrl } from "./lasting-url.ts";
import { parentOf } from "./parent.ts";
import { isCut } from "./property-item.ts";
import { tallyProperty, threadsOfProperty } from "./property-threads.ts";
import { propertyValue } from "./property-value.ts";
import { plainText, tallyRichText } from "./rich-text.ts";
import { shortened } from "./shortened.ts";
import { createThreadTally } from "./thread-tally.ts";

/**
 * Reads a page, a database, or a data source, which stands for its database. Null for anything else, and for a
 * page of which the provider discloses nothing but its id.
 * https://developers.notion.com/reference/page · /database · /data-source
 */
export function listedNode(json: unknown, dialect = notionDialect): ListedNode | null {
  switch (textAt(json, "object")) {
    case "page":
      return page(json, dialect);
    case "database":
      return database(json, dialect);
    case "data_source":
      return databaseOfDataSource(json, dialect);
    default:
      return null;
  }
}

function page(json: unknown, dialect: Dialect): ListedNode | null {
  const id = idAt(json, "id");
  const named = entriesAt(json, "properties").map(([name, property]) => [shortened(name), property] as const);
  const common = commonFields(json, dialect);
  if (id === null || common === null) return null;
  const title = named.find(([, property]) => textAt(property, "type") === "title")?.[1];
  const tally = createThreadTally(dialect);
  for (const [name, property] of named) if (!isCut(property)) tallyProperty(name, property, tally);
  return {
    ...common,
    ...tally.held(),
    id,
    type: "page",
    ...namesOf(listAt(title, "title"), json, dialect),
    parent: parentOf(json),
    properties: Object.fromEntries(named.map(([name, property]) => [name, propertyValue(property)])),
    cutProperties: named.flatMap(([name, property]) => cutProperty(name, property, dialect)),
    dataSourceIds: [],
  };
}

function cutProperty(name: string, property: unknown, dialect: Dialect): CutProperty[] {
  const id = textAt(property, "id");
  return id !== null && isCut(property) ? [{ id, name, ...threadsOfProperty(name, property, dialect) }] : [];
}

function database(json: unknown, dialect: Dialect): ListedNode | null {
  const id = idAt(json, "id");
  const common = commonFields(json, dialect);
  if (id === null || common === null) return null;
  const sources = listAt(json, "data_sources").map((source) => idAt(source, "id"));
  return {
    ...common,
    ...databaseFields(json, dialect),
    id,
    parent: parentOf(json),
    dataSourceIds: sources.filter((source) => source !== null),
  };
}

function databaseOfDataSource(json: unknown, dialect: Dialect): ListedNode | null {
  const sourceId = idAt(json, "id");
  const id = idAt(json, "parent", "database_id");
  const common = commonFields(json, dialect);
  if (id === null || sourceId === null || common === null) return null;
  return {
    ...common,
    ...databaseFields(json, dialect),
    id,
    parent: parentOf(json, "database_parent"),
    dataSourceIds: [sourceId],
  };
}

function databaseFields(json: unknown, dialect: Dialect) {
  const tally = createThreadTally(dialect);
  tallyRichText(listAt(json, "title"), tally);
  tallyRichText(listAt(json, "description"), tally);
  return {
    ...tally.held(),
    type: "database",
    ...namesOf(listAt(json, "title"), json, dialect),
    properties: {},
    cutProperties: [],
  } as const;
}

/** What all kinds have alike; null where the time of the last edit, which every full object has, is missing. */
function commonFields(json: unknown, dialect: Dialect) {
  const updatedAt = timeAt(json, "last_edited_time");
  if (updatedAt === null) return null;
  return {
    icon: iconOf(json, dialect),
    url: lastingUrl(textAt(json, "url"), dialect),
    createdAt: timeAt(json, "created_time") ?? updatedAt,
    updatedAt,
    inTrash: isTrueAt(json, "in_trash") || isTrueAt(json, "archived"),
  };
}

/** More are let go: they are somebody's mistake. */
const mostAliases = 100;

/** The title, and the distinct names beside it. */
function namesOf(title: readonly unknown[], json: unknown, { demoUrl }: Dialect) {
  const names = new Set([nameOf(plainText(title))]);
  const [shown = ""] = names;
  if (demoUrl !== null) for (const alias of listAt(json, "aliases")) names.add(nameOf(textAt(alias) ?? ""));
  names.delete(shown);
  names.delete("");
  return { title: shown, aliases: [...names].slice(0, mostAliases) };
}

/** Names are one line. */
function nameOf(text: string): string {
  return shortened(text.replaceAll(/\s+/g, " ").trim());
}
