import { createHash } from "node:crypto";
import type { UnresolvedLink } from "../document/document.ts";
import { readLine } from "../document/read-document.ts";
import type { LinkResolver } from "../document/references.ts";
import { plain, type Span } from "../document/span.ts";
import type { LinkFault } from "../links/resolution.ts";
import type { Entry } from "./entry.ts";
import { givenId } from "./ids.ts";
import type { Property } from "./property.ts";
import { inferredValue, type Reading, valueAs, withWikiLinks } from "./property-values.ts";
import type { PropertySchema } from "./schema.ts";
import { digitsApart } from "./title.ts";

/** Front matter that is no property: the provider has a place of its own for it. */
const reserved = new Set(["title", "icon", "created", "updated", "in_trash"]);

/** The properties of a page, and the relations in them that lead to no row. */
export interface PageProperties {
  readonly properties: readonly Property[];
  readonly unresolved: readonly UnresolvedLink[];
}

/** The properties of a page: the columns of its database, or what its front matter holds; the title is always there. */
export function readProperties(entry: Entry, links: LinkResolver, related: Related): PageProperties {
  const unresolved: UnresolvedLink[] = [];
  const schema = entry.parent?.schema ?? null;
  const reading: Reading = {
    line: (text) => readPropertyText(text, links),
    row(target, property) {
      const row = rowNamed(target, links, related(property));
      if (typeof row !== "string") return row.id;
      unresolved.push({ target, reason: row });
      return null;
    },
  };
  const title = titleProperty(entry, schema?.titleProperty ?? "title");
  const others = schema === null ? inferred(entry, reading) : columns(entry, schema.properties, reading);
  return { properties: [title, ...others], unresolved };
}

/** The database that a relation leads to. */
type Related = (property: PropertySchema) => Entry | null;

/** The row that a `[[name]]` or a path names; a name means a row of the related database before any other page. */
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

/** The rows of a database by their titles, and by their aliases where these are no titles; the first of each counts. */
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

/** The id under which the provider knows a property of this name. */
export function propertyIdOf(name: string): string {
  return createHash("sha256").update(name.normalize("NFC")).digest("hex").slice(0, 8);
}

function titleProperty(entry: Entry, name: string): Property {
  const text: Span[] =
    entry.title === "" ? [] : [{ kind: "text", text: entry.title, marks: plain, link: null }];
  return { id: "title", name, value: { type: "title", text } };
}

function columns(entry: Entry, schema: readonly PropertySchema[], reading: Reading): Property[] {
  return schema.map((property) => ({
    id: propertyIdOf(property.name),
    name: property.name,
    value: valueAs(property, withWikiLinks(entry.frontMatter[property.name]), reading),
  }));
}

function inferred(entry: Entry, reading: Reading): Property[] {
  return Object.entries(entry.frontMatter).flatMap(([name, front]) => {
    const taken = reserved.has(name) || (name === "id" && givenId(front) !== null);
    const value = taken ? null : inferredValue(withWikiLinks(front), reading);
    return value === null ? [] : [{ id: propertyIdOf(name), name, value }];
  });
}

/**
 * Text that holds no link is taken as it is: `*` and `_` in a property are seldom meant as emphasis. What reads a property
 * as plain text sees no tags around a link, so its digits are kept apart from others.
 */
function readPropertyText(text: string, links: LinkResolver): readonly Span[] {
  if (/\[\[|\]\(/.test(text)) return readLine(digitsApart(text), links);
  return [{ kind: "text", text, marks: plain, link: null }];
}
