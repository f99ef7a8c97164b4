import { createHash } from "node:crypto";
import type { UnresolvedLink } from "../document/block.ts";
import { readLine } from "../document/read-document.ts";
import type { LinkResolver } from "../document/references.ts";
import { plain, type Span } from "../document/span.ts";
import type { LinkFault } from "../links/resolve-link.ts";
import type { PropertySchema } from "./descriptions.ts";
import type { Entry } from "./entry.ts";
import { isDate, isRecord } from "./front-matter.ts";
import { givenId } from "./ids.ts";
import { isExact } from "./numbers.ts";
import { digitsApart } from "./title.ts";

/** The value of a property. */
export type PropertyValue =
  | { readonly type: "title" | "rich_text"; readonly text: readonly Span[] }
  | { readonly type: "number"; readonly number: number | null }
  | { readonly type: "checkbox"; readonly checked: boolean }
  | { readonly type: "url" | "email"; readonly address: string | null }
  | { readonly type: "date"; readonly date: DateRange | null }
  | { readonly type: "select" | "status"; readonly option: string | null }
  | { readonly type: "multi_select"; readonly options: readonly string[] }
  | { readonly type: "relation"; readonly ids: readonly string[] };

/** A date, or a range of dates, in ISO 8601. */
interface DateRange {
  readonly start: string;
  readonly end: string | null;
}

/** A property of a page. */
export interface Property {
  readonly id: string;
  readonly name: string;
  readonly value: PropertyValue;
}

/** Front matter with a meaning of its own, which is not a property. */
const reserved = new Set(["title", "icon", "created", "updated", "in_trash"]);

/** The properties of a page, and its relations to rows that do not exist. */
export interface PageProperties {
  readonly properties: readonly Property[];
  readonly unresolved: readonly UnresolvedLink[];
}

/** The properties of a page: its title, with the columns of its database or else with its front matter. */
export function readProperties(entry: Entry, links: LinkResolver, related: Related): PageProperties {
  const unresolved: UnresolvedLink[] = [];
  const schema = entry.parent?.schema ?? null;
  const reader: ValueReader = {
    line: (text) => readPropertyText(text, links),
    row(target, property) {
      const row = rowNamed(target, links, related(property));
      if (typeof row !== "string") return row.id;
      unresolved.push({ target, reason: row });
      return null;
    },
  };
  const title = titleProperty(entry, schema?.titleProperty ?? "title");
  const others = schema === null ? inferred(entry, reader) : columns(entry, schema.properties, reader);
  return { properties: [title, ...others], unresolved };
}

/** The target database of a relation. */
type Related = (property: PropertySchema) => Entry | null;

/** The row that a `[[name]]` or a path names. A name prefers rows of the target database to other pages. */
function rowNamed(target: string, links: LinkResolver, database: Entry | null): Entry | LinkFault {
  const name = /^!?\[\[([^\]|]*)(?:\|[^\]]*)?\]\]$/.exec(target)?.[1]?.trim();
  const row = database === null ? undefined : rowsByName(database).get((name ?? target).toLowerCase());
  if (row !== undefined) return row;
  const byPath = name === undefined ? links.hyperlink(target) : null;
  if (byPath?.kind === "entry") return byPath.entry;
  const byName = links.wikiLink(name ?? target);
  if (byName.kind === "entry") return byName.entry;
  return byName.kind === "unresolved" ? byName.reason : "missing";
}

const knownRows = new WeakMap<Entry, ReadonlyMap<string, Entry>>();

/** The rows of a database by title, then by alias. The first row with a name wins. */
function rowsByName(database: Entry): ReadonlyMap<string, Entry> {
  const known = knownRows.get(database);
  if (known !== undefined) return known;
  const rows = new Map<string, Entry>();
  const add = (name: string, row: Entry) => {
    const key = name.toLowerCase();
    if (!rows.has(key)) rows.set(key, row);
  };
  for (const row of database.children) add(row.title, row);
  for (const row of database.children) for (const alias of row.aliases) add(alias, row);
  knownRows.set(database, rows);
  return rows;
}

/** The id of the property with this name. */
export function propertyIdOf(name: string): string {
  return createHash("sha256").update(name.normalize("NFC")).digest("hex").slice(0, 8);
}

function titleProperty(entry: Entry, name: string): Property {
  const text: Span[] =
    entry.title === "" ? [] : [{ kind: "text", text: entry.title, marks: plain, link: null }];
  return { id: "title", name, value: { type: "title", text } };
}

function columns(entry: Entry, schema: readonly PropertySchema[], reader: ValueReader): Property[] {
  return schema.map((property) => ({
    id: propertyIdOf(property.name),
    name: property.name,
    value: valueAs(property, withWikiLinks(entry.frontMatter[property.name]), reader),
  }));
}

function inferred(entry: Entry, reader: ValueReader): Property[] {
  return Object.entries(entry.frontMatter).flatMap(([name, front]) => {
    const taken = reserved.has(name) || (name === "id" && givenId(front) !== null);
    const value = taken ? null : inferredValue(withWikiLinks(front), reader);
    return value === null ? [] : [{ id: propertyIdOf(name), name, value }];
  });
}

/**
 * Only text with links is parsed, because `*` and `_` in a property are rarely emphasis. Digits of a link are separated
 * from others, because as plain text they would run together.
 */
function readPropertyText(text: string, links: LinkResolver): readonly Span[] {
  if (/\[\[|\]\(/.test(text)) return readLine(digitsApart(text), links);
  return [{ kind: "text", text, marks: plain, link: null }];
}

/** Resolves the links in property values. */
interface ValueReader {
  /** Parses rich text with links. */
  line(text: string): readonly Span[];
  /** The id of the row that a path or a `[[name]]` names. */
  row(target: string, property: PropertySchema): string | null;
}

/** Converts front matter to the type of a database property; to an empty value if that is impossible. */
function valueAs(property: PropertySchema, value: unknown, reader: ValueReader): PropertyValue {
  const { type } = property;
  switch (type) {
    case "rich_text":
      return { type, text: isMissing(value) ? [] : reader.line(asText(value)) };
    case "number":
      return isLongNumber(value) ? textValue(value) : { type, number: asNumber(value) };
    case "checkbox":
      return { type, checked: value === true || value === "true" || value === "yes" };
    case "url":
    case "email":
      return { type, address: typeof value === "string" && value.trim() !== "" ? value.trim() : null };
    case "date":
      return { type, date: asDate(value) };
    case "select":
    case "status":
      return { type, option: isMissing(value) ? null : asText(asList(value)[0] ?? "") || null };
    case "multi_select":
      return { type, options: unique(asList(value).map(asText)) };
    case "relation":
      return {
        type,
        ids: unique(asList(value).flatMap((target) => reader.row(asText(target), property) ?? [])),
      };
  }
}

/** Restores unquoted `[[names]]`, which YAML reads as nested lists. */
function withWikiLinks(value: unknown): unknown {
  return wikiLink(value) ?? (Array.isArray(value) ? value.map((item) => wikiLink(item) ?? item) : value);
}

function wikiLink(value: unknown): string | null {
  const [inner, ...others]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (!Array.isArray(inner) || inner.length === 0 || others.length > 0) return null;
  return inner.every((part) => typeof part === "string") ? `[[${inner.join(", ")}]]` : null;
}

/** Infers the type of front matter outside databases; null for an empty value. */
function inferredValue(value: unknown, reader: ValueReader): PropertyValue | null {
  if (isMissing(value)) return null;
  if (typeof value === "number") return { type: "number", number: Number.isFinite(value) ? value : null };
  if (typeof value === "boolean") return { type: "checkbox", checked: value };
  if (Array.isArray(value)) {
    const items = asList(value);
    if (items.some((item) => typeof item === "string" && item.includes("[[")))
      return { type: "rich_text", text: reader.line(items.map(asText).join(", ")) };
    const simple = items.every((item) => typeof item === "string" || typeof item === "number");
    return simple
      ? { type: "multi_select", options: unique(items.map(asText)) }
      : textValue(JSON.stringify(items));
  }
  const date = asDate(value);
  if (date !== null) return { type: "date", date };
  if (typeof value !== "string") return textValue(JSON.stringify(value));
  if (/^https?:\/\/\S+$/i.test(value)) return { type: "url", address: value };
  return { type: "rich_text", text: reader.line(value) };
}

function textValue(text: string): PropertyValue {
  return { type: "rich_text", text: [{ kind: "text", text, marks: plain, link: null }] };
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

function asText(value: unknown): string {
  if (typeof value === "string") return value.trim();
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function asList(value: unknown): readonly unknown[] {
  if (isMissing(value)) return [];
  return Array.isArray(value) ? value.filter((item) => !isMissing(item)) : [value];
}

function asNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** Whether a text is a number that is not exact. */
function isLongNumber(value: unknown): value is string {
  if (typeof value !== "string" || !/^[+-]?\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)) return false;
  return !isExact(Number(value.replaceAll("_", "")));
}

/** `2026-01-31`, a time of that day, `start/end`, or `{start, end}`. */
function asDate(value: unknown): DateRange | null {
  if (isRecord(value)) {
    const { start, end } = value;
    if (typeof start !== "string" || !isDate(start)) return null;
    return { start, end: typeof end === "string" && isDate(end) ? end : null };
  }
  if (typeof value !== "string") return null;
  const [start = "", end, ...more] = value.trim().split("/");
  if (!isDate(start) || more.length > 0 || (end !== undefined && !isDate(end))) return null;
  return { start, end: end ?? null };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
