import type { Column, Json, ListedNode, ParentRef } from "@clew/provider";
import {
  namesOf,
  permanentUrl,
  ReferenceTally,
  truncated,
  withoutExpiringUrls,
  withoutScriptLinks,
} from "@clew/provider-text";
import type { Span } from "../document/span.ts";
import { addressOfLink, inlineMarkdown, type PageNames } from "../document/write-markdown.ts";
import type { PropertySchema } from "../workspace/descriptions.ts";
import type { Entry } from "../workspace/entry.ts";
import { isEmoji } from "../workspace/front-matter.ts";
import type { Property } from "../workspace/properties.ts";
import type { FolderTags, Tag } from "../workspace/tags.ts";
import { dataSourceIdOf, type Workspace } from "../workspace/workspace.ts";
import { readAddresses, writtenAddresses } from "./addresses.ts";

/**
 * A page, database or tag of a folder, as the port has it. All of its facts are known at once. If `tags` are given, pages and
 * databases mention theirs.
 */
export function listedNode(entry: Entry | Tag, workspace: Workspace, tags: FolderTags | null): ListedNode {
  return entry.kind === "tag" ? listedTag(entry) : listedPage(entry, workspace, tags);
}

function listedTag({ id, name, parent, createdAt }: Tag): ListedNode {
  return {
    id,
    type: "tag",
    // Without its own sign, which a search takes for no word.
    ...namesOf(withoutExpiringUrls(name), []),
    icon: null,
    url: null,
    parent: parent === null ? { kind: "workspace" } : { kind: "node", id: parent.id, type: "tag" },
    createdAt,
    updatedAt: createdAt,
    inTrash: false,
    properties: {},
    partial: { cut: [], unread: [], repeated: [] },
    references: [],
    mentioned: [],
    collections: [],
    unsupported: [],
  };
}

function listedPage(entry: Entry, workspace: Workspace, tags: FolderTags | null): ListedNode {
  const { id, kind: type, title, aliases, icon, createdAt, editedAt: updatedAt, inTrash } = entry;
  return {
    id,
    type,
    ...namesOf(withoutExpiringUrls(title), aliases),
    icon: icon === null || isEmoji(icon) ? icon : permanentUrl(icon),
    url: permanentUrl(workspace.addressOf(entry)),
    parent: parentOf(entry),
    createdAt,
    updatedAt,
    inTrash,
    ...(type === "page" ? pageFacts(entry, workspace, tags) : databaseFacts(entry, workspace, tags)),
    unsupported: [],
  };
}

/** The names and addresses with which texts of a workspace are written. */
export function pageNames(workspace: Workspace): PageNames {
  return {
    addresses: writtenAddresses,
    entry: (id) => workspace.entry(id),
    titleOf: (id) => workspace.entry(id)?.title ?? "Untitled",
  };
}

function parentOf({ parent }: Entry): ParentRef {
  if (parent === null) return { kind: "workspace" };
  if (parent.kind === "page") return { kind: "node", id: parent.id, type: "page" };
  return { kind: "collection", id: dataSourceIdOf(parent), databaseId: parent.id };
}

type Facts = Pick<
  ListedNode,
  "properties" | "partial" | "references" | "mentioned" | "collections" | "description"
>;

function pageFacts(page: Entry, workspace: Workspace, tags: FolderTags | null): Facts {
  const names = pageNames(workspace);
  const tally = new ReferenceTally(readAddresses);
  const visible = visibleProperties(page, workspace);
  for (const property of visible) tallyProperty(tally, property, names);
  tallyHidden(tally, workspace.hidden(page), names);
  tallyTags(tally, page, tags);
  const values = visible.map(({ name, value }): [string, Json] => [truncated(name), jsonOf(value, names)]);
  const repeated = visible.filter(({ value }) => value.type === "title").map(({ name }) => truncated(name));
  return {
    properties: Object.fromEntries(values),
    partial: { cut: [], unread: [], repeated },
    ...tally.held(),
    collections: [],
  };
}

function databaseFacts(database: Entry, workspace: Workspace, tags: FolderTags | null): Facts {
  const tally = new ReferenceTally(readAddresses);
  const names = pageNames(workspace);
  const description = workspace.description(database);
  tallySpans(tally, description, names);
  tallyHidden(tally, workspace.hidden(database), names);
  tallyTags(tally, database, tags);
  return {
    properties: {},
    description: withoutScriptLinks(withoutExpiringUrls(inlineMarkdown(description, names))),
    partial: { cut: [], unread: [], repeated: [] },
    ...tally.held(),
    collections: [{ id: dataSourceIdOf(database), columns: columnsOf(database, workspace) }],
  };
}

/** Counts the mentions and links of what is not shown, without their words. */
function tallyHidden(tally: ReferenceTally, spans: readonly Span[], names: PageNames): void {
  for (const span of spans) {
    if (span.kind === "mention") tally.mention(span.id, span.of, "");
    else if (span.link !== null) tally.link(addressOfLink(span.link, names), "");
  }
}

function tallyTags(tally: ReferenceTally, entry: Entry, tags: FolderTags | null): void {
  for (const { tag, count } of tags?.of(entry) ?? [])
    for (let time = 0; time < count; time += 1) tally.mention(tag.id, "tag", "");
}

function tallyProperty(tally: ReferenceTally, { name, value }: Property, names: PageNames): void {
  if (value.type === "title" || value.type === "rich_text") tallySpans(tally, value.text, names);
  if (value.type === "url") tally.link(value.address ?? "", "");
  if (value.type === "relation") for (const id of value.ids) tally.relation(id, truncated(name));
}

/** Counts mentions and links. Spans that follow one another with the same address are one link. */
function tallySpans(tally: ReferenceTally, spans: readonly Span[], names: PageNames): void {
  let address = "";
  let words = "";
  for (const span of spans) {
    if (span.kind === "mention") tally.mention(span.id, span.of, wordsOf(span, names));
    const next = span.kind === "mention" || span.link === null ? "" : addressOfLink(span.link, names);
    if (next !== address) {
      tally.link(address, words);
      words = "";
    }
    address = next;
    words += wordsOf(span, names);
  }
  tally.link(address, words);
}

function wordsOf(span: Span, names: PageNames): string {
  return span.kind === "text" ? span.text : (span.alias ?? names.titleOf(span.id));
}

/** The value of a property as plain JSON. */
function jsonOf(value: Property["value"], names: PageNames): Json {
  switch (value.type) {
    case "title":
    case "rich_text":
      return withoutExpiringUrls(value.text.map((span) => wordsOf(span, names)).join(""));
    case "number":
      return value.number;
    case "checkbox":
      return value.checked;
    case "url":
      return value.address && withoutExpiringUrls(value.address);
    case "email":
      return value.address;
    case "date":
      return value.date && { ...value.date };
    case "select":
    case "status":
      return value.option;
    case "multi_select":
      return value.options;
    case "relation":
      return value.ids;
  }
}

/** The properties of a page. A relation to a folder that is no database says nothing. */
function visibleProperties(page: Entry, workspace: Workspace): readonly Property[] {
  const properties = workspace.properties(page);
  if (page.parent === null || page.parent.schema === null) return properties;
  const visible = new Set(visibleColumns(page.parent, workspace).map(({ name }) => name));
  return properties.filter(({ name, value }) => value.type !== "relation" || visible.has(name));
}

function visibleColumns(database: Entry, workspace: Workspace): readonly PropertySchema[] {
  return (database.schema?.properties ?? []).filter(
    ({ type, database: related }) =>
      type !== "relation" || (related !== null && workspace.related(database, related) !== null),
  );
}

function columnsOf(database: Entry, workspace: Workspace): readonly Column[] {
  const title = database.schema?.titleProperty ?? "Name";
  return [
    { name: truncated(title), type: "title", options: [] },
    ...visibleColumns(database, workspace).map((column): Column => {
      const { name, type } = column;
      const options = optionsOf(database, column, workspace).map((option) => truncated(option));
      return { name: truncated(name), type: type === "rich_text" ? "text" : type, options };
    }),
  ];
}

/** The options in the schema, then those that only rows have. */
function optionsOf(database: Entry, { name, type, options }: PropertySchema, workspace: Workspace): string[] {
  if (type !== "select" && type !== "multi_select" && type !== "status") return [];
  const used = database.children.flatMap((row) => {
    const value = workspace.properties(row).find((property) => property.name === name)?.value;
    if (value?.type === "multi_select") return value.options;
    return value?.type === "select" || value?.type === "status" ? (value.option ?? []) : [];
  });
  return [...new Set([...options, ...used])];
}
