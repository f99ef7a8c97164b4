import type { Json } from "../../model/node.ts";
import type { Unsupported } from "../../model/sync-report.ts";
import type { CutProperty, HeldReferences, ListedNode, ParentRef, UnreadProperty } from "../port.ts";
import { type Dialect, notionDialect } from "./dialect.ts";
import { iconOf } from "./icon.ts";
import {
  at,
  optionalBoolean,
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
import { lastingUrl } from "./lasting-url.ts";
import { parentOf } from "./parent.ts";
import { isCut } from "./property-item.ts";
import { referencesOfProperty } from "./property-references.ts";
import { propertyValue } from "./property-value.ts";
import { createReferenceTally } from "./reference-tally.ts";
import { plainText, tallyRichText } from "./rich-text.ts";
import { shortened } from "./shortened.ts";
import { UnsupportedTypeError } from "./unsupported-type.ts";

const readers = { page, database, data_source: databaseOfDataSource } as const;

/**
 * Reads a page, a database, or a data source, which stands for its database. Throws `UnreadableError` for anything
 * else, and where its id, times, title or parent cannot be read.
 * https://developers.notion.com/reference/page · /database · /data-source
 */
export function listedNode(json: unknown, dialect = notionDialect): ListedNode {
  const object = requiredText(json, "object");
  if (!isNodeObject(object)) throw new UnreadableError("a page, database or data source", ["object"]);
  return readers[object](json, dialect);
}

/** Whether objects of a kind are nodes, or stand for one. */
export function isNodeObject(object: string): object is keyof typeof readers {
  return Object.hasOwn(readers, object);
}

function page(json: unknown, dialect: Dialect): ListedNode {
  const named = Object.entries(requiredObject(json, "properties")).map(
    ([name, property]) => [shortened(name), property] as const,
  );
  const title = named.find(([, property]) => textAt(property, "type") === "title")?.[1];
  return {
    ...commonFields(json, parentOf(json), readProperties(named, dialect), dialect),
    id: requiredId(json, "id"),
    type: "page",
    ...namesOf(requiredList(title, "title"), json, dialect),
    dataSourceIds: [],
  };
}

/** What properties say. */
type Properties = HeldReferences &
  Pick<ListedNode, "properties" | "cutProperties" | "unreadProperties" | "unsupported">;

/** Reads properties one by one: one that cannot be read costs the others nothing. */
function readProperties(named: readonly (readonly [string, unknown])[], dialect: Dialect): Properties {
  const tally = createReferenceTally(dialect);
  const values: [string, Json][] = [];
  const cutProperties: CutProperty[] = [];
  const unreadProperties: UnreadProperty[] = [];
  const unsupported: Unsupported[] = [];
  for (const [name, property] of named) {
    try {
      const value = propertyValue(property);
      const held = referencesOfProperty(name, property, dialect);
      if (isCut(property)) cutProperties.push({ id: requiredText(property, "id"), name, ...held });
      else tally.include(held);
      values.push([name, value]);
    } catch (error) {
      const isNew = error instanceof UnsupportedTypeError;
      if (!isNew && !(error instanceof UnreadableError)) throw error;
      if (isNew) unsupported.push({ kind: "property", type: error.type });
      unreadProperties.push({ name, error: isNew ? null : error });
      values.push([name, null]);
    }
  }
  return {
    ...tally.held(),
    properties: Object.fromEntries(values),
    cutProperties,
    unreadProperties,
    unsupported,
  };
}

function database(json: unknown, dialect: Dialect): ListedNode {
  return {
    ...databaseFields(json, parentOf(json), dialect),
    id: requiredId(json, "id"),
    dataSourceIds: isOfOldShape(json)
      ? []
      : [...requiredList(json, "data_sources").keys()].map((at) =>
          requiredId(json, "data_sources", at, "id"),
        ),
  };
}

/** As versions of the API before 2025-09-03 give a database, which is its own source. */
function isOfOldShape(json: unknown): boolean {
  return at(json, "data_sources") === undefined && at(json, "properties") !== undefined;
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
  const tally = createReferenceTally(dialect);
  tallyRichText(title, tally);
  tallyRichText(optionalList(json, "description") ?? [], tally);
  const none = { properties: {}, cutProperties: [], unreadProperties: [], unsupported: [] };
  return {
    ...commonFields(json, parent, { ...tally.held(), ...none }, dialect),
    type: "database",
    ...namesOf(title, json, dialect),
  } as const;
}

/** What all kinds have alike. */
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
    url: lastingUrl(requiredText(json, "url"), dialect),
    createdAt: requiredTime(json, "created_time"),
    updatedAt: requiredTime(json, "last_edited_time"),
    inTrash: isInTrash(json),
  };
}

/** Versions of the API before 2026-03-11 call it archived. */
function isInTrash(json: unknown): boolean {
  const isArchived = optionalBoolean(json, "archived");
  if (isArchived !== null) return isArchived || optionalBoolean(json, "in_trash") === true;
  return requiredBoolean(json, "in_trash");
}

/** More are let go: they are somebody's mistake. */
const maxAliases = 100;

/** The title, and the distinct names beside it. */
function namesOf(title: readonly unknown[], json: unknown, { demoUrl }: Dialect) {
  const names = new Set([nameOf(plainText(title))]);
  const [shown = ""] = names;
  const aliases = demoUrl === null ? [] : (optionalList(json, "aliases") ?? []);
  for (const alias of aliases) names.add(nameOf(textAt(alias) ?? ""));
  names.delete(shown);
  names.delete("");
  return { title: shown, aliases: [...names].slice(0, maxAliases) };
}

/** Names are one line. */
function nameOf(text: string): string {
  return shortened(text.replaceAll(/\s+/g, " ").trim());
}
