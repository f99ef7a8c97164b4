import type { Json } from "../../model/node.ts";
import type { Unsupported } from "../../model/sync-report.ts";
import type {
  CutProperty,
  HeldReferences,
  ListEntry,
  ListedNode,
  ParentRef,
  ProviderError,
  UnreadableEntry,
  UnreadProperty,
} from "../port.ts";
import { iconOf } from "./icon.ts";
import {
  at,
  optionalBoolean,
  optionalId,
  optionalList,
  requiredBoolean,
  requiredId,
  requiredList,
  requiredObject,
  requiredText,
  requiredTime,
  textAt,
  UnreadableError,
  UnsupportedTypeError,
} from "./json.ts";
import { isCut, propertyValue } from "./property.ts";
import { ReferenceTally } from "./reference-tally.ts";
import { plainText, truncated } from "./rich-text.ts";
import { type Dialect, notionDialect, permanentUrl } from "./urls.ts";

const readers = { page, database, data_source: databaseOfDataSource } as const;

/**
 * Reads a page, a database, or a data source, which becomes its database. Throws `UnreadableError` for anything else, and
 * if id, times, title or parent cannot be read.
 * https://developers.notion.com/reference/page · /database · /data-source
 */
export function listedNode(json: unknown, dialect = notionDialect): ListedNode {
  const object = requiredText(json, "object");
  if (!isNodeObject(object)) throw new UnreadableError("a page, database or data source", ["object"]);
  return readers[object](json, dialect);
}

function isNodeObject(object: string): object is keyof typeof readers {
  return Object.hasOwn(readers, object);
}

/**
 * Reads the entries of a list. An entry that cannot be read, or has such a property, becomes `unreadable` with its id, so
 * that it can be looked up. Throws `UnreadableError` after the last entry if one has no readable kind or id.
 */
export async function* listEntries(
  list: AsyncIterable<unknown>,
  dialect: Dialect,
): AsyncGenerator<ListEntry> {
  let firstError: UnreadableError | null = null;
  for await (const json of list) {
    const entry = unlessUnreadable(
      () => entryOf(json, dialect),
      (error) => error,
    );
    if (entry instanceof UnreadableError) firstError ??= entry;
    else yield entry;
  }
  if (firstError !== null) throw firstError;
}

function entryOf(json: unknown, dialect: Dialect): ListEntry {
  const object = requiredText(json, "object");
  if (!isNodeObject(object)) return { type: "unsupported", unsupported: { kind: "object", type: object } };
  const of = object === "data_source" ? "data-source" : object;
  const id = requiredId(json, "id");
  const unreadable = (error: ProviderError): UnreadableEntry => ({ type: "unreadable", of, id, error });
  return unlessUnreadable(() => {
    const node = listedNode(json, dialect);
    const unread = node.unreadProperties.find(({ error }) => error !== null);
    return unread?.error ? unreadable(unread.error) : node;
  }, unreadable);
}

function unlessUnreadable<T, U>(read: () => T, otherwise: (error: UnreadableError) => U): T | U {
  try {
    return read();
  } catch (error) {
    if (error instanceof UnreadableError) return otherwise(error);
    throw error;
  }
}

function page(json: unknown, dialect: Dialect): ListedNode {
  const entries = Object.entries(requiredObject(json, "properties")).map(
    ([name, property]) => [truncated(name), property] as const,
  );
  const title = entries.find(([, property]) => textAt(property, "type") === "title")?.[1];
  return {
    ...commonFields(json, parentOf(json), readProperties(entries, dialect), dialect),
    id: requiredId(json, "id"),
    type: "page",
    ...namesOf(requiredList(title, "title"), json, dialect),
    dataSourceIds: [],
  };
}

type Properties = HeldReferences &
  Pick<ListedNode, "properties" | "cutProperties" | "unreadProperties" | "unsupported">;

/** A property that cannot be read does not affect the others. */
function readProperties(entries: readonly (readonly [string, unknown])[], dialect: Dialect): Properties {
  const tally = new ReferenceTally(dialect);
  const values: [string, Json][] = [];
  const cutProperties: CutProperty[] = [];
  const unreadProperties: UnreadProperty[] = [];
  const unsupported: Unsupported[] = [];
  for (const [name, property] of entries) {
    try {
      const value = propertyValue(property);
      const own = new ReferenceTally(dialect);
      own.property(name, property);
      if (isCut(property)) cutProperties.push({ id: requiredText(property, "id"), name, ...own.held() });
      else tally.include(own.held());
      values.push([name, value]);
    } catch (error) {
      const isUnknownType = error instanceof UnsupportedTypeError;
      if (!isUnknownType && !(error instanceof UnreadableError)) throw error;
      if (isUnknownType) unsupported.push({ kind: "property", type: error.type });
      unreadProperties.push({ name, error: isUnknownType ? null : error });
      values.push([name, null]);
    }
  }
  const properties = Object.fromEntries(values);
  return { ...tally.held(), properties, cutProperties, unreadProperties, unsupported };
}

function database(json: unknown, dialect: Dialect): ListedNode {
  // Before version 2025-09-03 of the API a database was its own data source.
  const isOldFormat = at(json, "data_sources") === undefined && at(json, "properties") !== undefined;
  const sources = isOldFormat ? [] : requiredList(json, "data_sources");
  return {
    ...databaseFields(json, parentOf(json), dialect),
    id: requiredId(json, "id"),
    dataSourceIds: sources.map((_, at) => requiredId(json, "data_sources", at, "id")),
  };
}

function databaseOfDataSource(json: unknown, dialect: Dialect): ListedNode {
  return {
    ...databaseFields(json, parentOf(json, "database_parent"), dialect),
    id: requiredId(json, "parent", "database_id"),
    dataSourceIds: [requiredId(json, "id")],
  };
}

function databaseFields(json: unknown, parent: ParentRef, dialect: Dialect) {
  const title = requiredList(json, "title");
  const tally = new ReferenceTally(dialect);
  tally.richText(title);
  tally.richText(optionalList(json, "description") ?? []);
  const none = { properties: {}, cutProperties: [], unreadProperties: [], unsupported: [] };
  return {
    ...commonFields(json, parent, { ...tally.held(), ...none }, dialect),
    type: "database",
    ...namesOf(title, json, dialect),
  } as const;
}

function commonFields(json: unknown, parent: ParentRef, properties: Properties, dialect: Dialect) {
  const { unsupported } = properties;
  return {
    ...properties,
    parent,
    unsupported:
      parent.kind === "unknown"
        ? [...unsupported, { kind: "parent" as const, type: parent.type }]
        : unsupported,
    icon: iconOf(json, dialect),
    url: permanentUrl(requiredText(json, "url"), dialect),
    createdAt: requiredTime(json, "created_time"),
    updatedAt: requiredTime(json, "last_edited_time"),
    inTrash: isInTrash(json),
  };
}

/** Before version 2026-03-11 of the API the field was `archived`. */
function isInTrash(json: unknown): boolean {
  const isArchived = optionalBoolean(json, "archived");
  if (isArchived !== null) return isArchived || optionalBoolean(json, "in_trash") === true;
  return requiredBoolean(json, "in_trash");
}

/** Further aliases are ignored. */
const maxAliases = 100;

/** The title, and the distinct aliases. */
function namesOf(title: readonly unknown[], json: unknown, { demoUrl }: Dialect) {
  const oneLine = (text: string) => truncated(text.replaceAll(/\s+/g, " ").trim());
  const shown = oneLine(plainText(title));
  const given = demoUrl === null ? [] : (optionalList(json, "aliases") ?? []);
  const aliases = new Set(given.map((alias) => oneLine(textAt(alias) ?? "")));
  aliases.delete(shown);
  aliases.delete("");
  return { title: shown, aliases: [...aliases].slice(0, maxAliases) };
}

/**
 * The parent of a page, database, data source or block. Throws `UnreadableError`; a type that Clew does not know is
 * `unknown`. https://developers.notion.com/reference/parent-object
 */
export function parentOf(node: unknown, field = "parent"): ParentRef {
  const type = requiredText(node, field, "type");
  switch (type) {
    case "workspace":
      return { kind: "workspace" };
    case "page_id":
      return { kind: "node", id: requiredId(node, field, type), type: "page" };
    case "database_id":
      return { kind: "node", id: requiredId(node, field, type), type: "database" };
    case "block_id":
      return { kind: "block", id: requiredId(node, field, type) };
    case "data_source_id":
      return {
        kind: "data-source",
        id: requiredId(node, field, type),
        databaseId: optionalId(node, field, "database_id"),
      };
    default:
      return { kind: "unknown", type };
  }
}
