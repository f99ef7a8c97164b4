import { dataSourceIdOf, type Entry, idOf, type PropertySchema, propertyIdOf } from "@clew/folder";
import { historyJson, iconJson, type Json, type JsonObject, parentJson } from "./object-json.ts";
import { optionJson, relatedDatabase, visibleColumns } from "./page-json.ts";
import { plainRichText, richText } from "./rich-text.ts";
import type { View } from "./view.ts";

/** A database object, the container of its data source (https://developers.notion.com/reference/database). */
export function databaseJson(database: Entry, view: View): JsonObject {
  const { created_time, last_edited_time } = historyJson(database, view.workspace);
  return {
    object: "database",
    id: database.id,
    ...commonJson(database, view),
    created_time: created_time ?? null,
    last_edited_time: last_edited_time ?? null,
    parent: parentJson(database),
    is_locked: false,
    data_sources: [{ id: dataSourceIdOf(database), name: database.title }],
  };
}

/** A data source object: the schema and the rows of a database (https://developers.notion.com/reference/data-source). */
export function dataSourceJson(database: Entry, view: View): JsonObject {
  return {
    object: "data_source",
    id: dataSourceIdOf(database),
    ...commonJson(database, view),
    ...historyJson(database, view.workspace),
    parent: { type: "database_id", database_id: database.id },
    database_parent: parentJson(database),
    properties: schemaJson(database, view),
  };
}

function commonJson(database: Entry, view: View): JsonObject {
  return {
    title: plainRichText(database.title),
    description: richText(view.workspace.description(database), view),
    icon: iconJson(database.icon),
    cover: null,
    is_inline: false,
    in_trash: database.inTrash,
    aliases: [...database.aliases],
    url: view.addresses.of(database),
    public_url: null,
  };
}

function schemaJson(database: Entry, view: View): JsonObject {
  const title = database.schema?.titleProperty ?? "Name";
  const columns = visibleColumns(database, view).map((column) => [
    column.name,
    {
      id: propertyIdOf(column.name),
      name: column.name,
      description: null,
      type: column.type,
      [column.type]: columnJson(database, column, view),
    },
  ]);
  return {
    [title]: { id: "title", name: title, description: null, type: "title", title: {} },
    ...Object.fromEntries(columns),
  };
}

function columnJson(database: Entry, column: PropertySchema, view: View): Json {
  if (column.type === "number") return { format: "number" };
  if (column.type === "select" || column.type === "multi_select" || column.type === "status") {
    const options = optionsOf(database, column, view).map((name) => ({
      ...optionJson(name),
      description: null,
    }));
    return column.type === "status" ? { options, groups: [groupOf(options)] } : { options };
  }
  const related = column.type === "relation" ? relatedDatabase(database, column, view) : null;
  if (related === null) return {};
  return {
    database_id: related.id,
    data_source_id: dataSourceIdOf(related),
    type: "single_property",
    single_property: {},
  };
}

/** The options in the schema, then those that only rows have. */
function optionsOf(database: Entry, column: PropertySchema, view: View): string[] {
  const used = database.children.flatMap((row) => {
    const value = view.workspace.properties(row).find(({ name }) => name === column.name)?.value;
    if (value?.type === "multi_select") return value.options;
    return value?.type === "select" || value?.type === "status" ? (value.option ?? []) : [];
  });
  return [...new Set([...column.options, ...used])];
}

function groupOf(options: readonly JsonObject[]): JsonObject {
  return {
    id: idOf("option", "group"),
    name: "To-do",
    color: "gray",
    option_ids: options.map(({ id }) => id ?? null),
  };
}
