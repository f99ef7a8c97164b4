import type {
  Json,
  ListEntry,
  ListedNode,
  ParentRef,
  PartialProperties,
  Unsupported,
  WorkspaceReader,
} from "@clew/provider";
import { namesOf, truncated, withoutScriptLinks } from "@clew/provider-text";
import { authorsOf, verificationOf } from "./authors.ts";
import { columnsOf } from "./columns.ts";
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
} from "./json.ts";
import { richTextLine } from "./markdown/write.ts";
import { isCut, readProperty } from "./property.ts";
import { NotionReferenceTally } from "./reference-tally.ts";
import { plainText } from "./rich-text.ts";
import { type Dialect, notionDialect, permanentUrl, withoutExpiringUrls } from "./urls.ts";
import { parents, readingOf } from "./vocabulary.ts";

const readers = { page, database, data_source: databaseOfDataSource } as const;

/**
 * Reads a page, a database, or a data source, which becomes its database. Throws `UnreadableError` for anything else, and
 * if id, times, title or parent cannot be read.
 * https://developers.notion.com/reference/page · /database · /data-source
 */
export function listedNode(json: unknown, dialect = notionDialect): ListedNode {
  const object = requiredText(json, "object");
  if (!isNodeObject(object)) throw new UnreadableError("a page, database or data source", ["object"]);
  const node = readers[object](json, dialect);
  if (node.parent.kind !== "unknown" && node.parent.kind !== "foreign") return node;
  return { ...node, unsupported: [...node.unsupported, { kind: "parent", type: node.parent.type }] };
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
    let entry: ListEntry;
    try {
      entry = entryOf(json, dialect);
    } catch (error) {
      firstError ??= unreadable(error);
      continue;
    }
    yield entry;
  }
  if (firstError !== null) throw firstError;
}

function entryOf(json: unknown, dialect: Dialect): ListEntry {
  const object = requiredText(json, "object");
  if (!isNodeObject(object)) return { type: "unsupported", unsupported: { kind: "object", type: object } };
  const id = requiredId(json, "id");
  const of = object === "data_source" ? "collection" : object;
  try {
    const node = listedNode(json, dialect);
    const error = node.partial.unread.find(({ error }) => error !== null)?.error;
    return error ? { type: "unreadable", of, id, error } : node;
  } catch (error) {
    return { type: "unreadable", of, id, error: unreadable(error) };
  }
}

/** An error because something cannot be read. Throws any other. */
function unreadable(error: unknown): UnreadableError {
  if (error instanceof UnreadableError) return error;
  throw error;
}

function page(json: unknown, dialect: Dialect): ListedNode {
  const entries = Object.entries(requiredObject(json, "properties")).map(
    ([name, property]) => [truncated(name), property] as const,
  );
  const title = entries.find(([, property]) => textAt(property, "type") === "title")?.[1];
  return {
    ...readProperties(entries, dialect),
    ...commonFields(json, requiredList(title, "title"), dialect),
    id: requiredId(json, "id"),
    type: "page",
    isArchived: optionalBoolean(json, "is_archived") ?? false,
    verification: verificationOf(entries.map(([, property]) => property)),
    parent: parentOf(json),
    collections: [],
  };
}

/** Types of properties that repeat the title or the last edit of their page. */
const repeatingTypes = new Set(["title", "last_edited_time", "last_edited_by"]);

/** A property that cannot be read does not affect the others. */
function readProperties(entries: readonly (readonly [string, unknown])[], dialect: Dialect) {
  const tally = new NotionReferenceTally(dialect);
  const values: [string, Json][] = [];
  const cut: PartialProperties["cut"][number][] = [];
  const unread: PartialProperties["unread"][number][] = [];
  const unsupported: Unsupported[] = [];
  for (const [name, property] of entries) {
    try {
      const { value, unsupported: unknownTypes, ...held } = readProperty(name, property, dialect);
      if (unknownTypes.length > 0) unread.push({ name, error: null });
      else if (isCut(property)) cut.push({ id: requiredText(property, "id"), name, ...held });
      else tally.include(held);
      unsupported.push(...unknownTypes);
      values.push([name, value]);
    } catch (error) {
      unread.push({ name, error: unreadable(error) });
      values.push([name, null]);
    }
  }
  const repeated = entries.flatMap(([name, property]) =>
    repeatingTypes.has(textAt(property, "type") ?? "") ? name : [],
  );
  const properties = Object.fromEntries(values);
  return { ...tally.held(), properties, partial: { cut, unread, repeated }, unsupported };
}

function database(json: unknown, dialect: Dialect): ListedNode {
  // Before version 2025-09-03 of the API a database was its own data source.
  const isOldFormat = at(json, "data_sources") === undefined && at(json, "properties") !== undefined;
  const sources = isOldFormat ? [] : requiredList(json, "data_sources");
  return {
    ...databaseFields(json, dialect),
    id: requiredId(json, "id"),
    parent: parentOf(json),
    collections: sources.map((_, at) => ({ id: requiredId(json, "data_sources", at, "id"), columns: null })),
  };
}

function databaseOfDataSource(json: unknown, dialect: Dialect): ListedNode {
  const dataSourceId = requiredId(json, "id");
  const { columns, unsupported } = columnsOf(json);
  return {
    ...databaseFields(json, dialect),
    id: requiredId(json, "parent", "database_id"),
    parent: parentOf(json, "database_parent"),
    collections: [{ id: dataSourceId, columns }],
    unsupported,
  };
}

/**
 * Says what a list leaves out of a database, which it shows by one of its data sources. A data source has facts of its own:
 * they are those of its database if it is the only one, but for a title that it may lack.
 */
export function missingFacts(
  { type, title }: ListedNode,
  collectionIds: ReadonlySet<string>,
): ReturnType<WorkspaceReader["missingFacts"]> {
  if (type === "page") return "none";
  if (collectionIds.size > 1) return "all";
  return title === "" ? "title" : "none";
}

function databaseFields(json: unknown, dialect: Dialect) {
  const title = requiredList(json, "title");
  const description = optionalList(json, "description") ?? [];
  const tally = new NotionReferenceTally(dialect);
  tally.richText(title);
  tally.richText(description);
  return {
    ...readProperties([], dialect),
    ...tally.held(),
    ...commonFields(json, title, dialect),
    type: "database",
    description: withoutScriptLinks(withoutExpiringUrls(richTextLine(description))),
  } as const;
}

function commonFields(json: unknown, title: readonly unknown[], dialect: Dialect) {
  return {
    ...namesOf(plainText(title), aliasesOf(json, dialect)),
    icon: iconOf(json, dialect),
    url: permanentUrl(requiredText(json, "url"), dialect),
    createdAt: requiredTime(json, "created_time"),
    updatedAt: requiredTime(json, "last_edited_time"),
    inTrash: isInTrash(json),
    ...authorsOf(json),
  };
}

/** The demo workspace alone gives aliases. */
function aliasesOf(json: unknown, { demoUrl }: Dialect): readonly string[] {
  if (demoUrl === null) return [];
  return (optionalList(json, "aliases") ?? []).map((alias) => textAt(alias) ?? "");
}

/** Before version 2026-03-11 of the API the field was `archived`. */
function isInTrash(json: unknown): boolean {
  const isArchived = optionalBoolean(json, "archived");
  if (isArchived !== null) return isArchived || optionalBoolean(json, "in_trash") === true;
  return requiredBoolean(json, "in_trash");
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
        kind: "collection",
        id: requiredId(node, field, type),
        databaseId: optionalId(node, field, "database_id"),
      };
    default:
      return { kind: readingOf(parents, type)?.kind === "foreign" ? "foreign" : "unknown", type };
  }
}
