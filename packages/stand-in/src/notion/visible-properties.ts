import type { Entry } from "../workspace/entry.ts";
import type { Property } from "../workspace/property.ts";
import type { PropertySchema } from "../workspace/schema.ts";
import type { View } from "./view.ts";

/**
 * A page's properties as a grant sees them: relations to a database that was not shared are left out, as the provider
 * does (https://developers.notion.com/reference/property-object#relation).
 */
export function visibleProperties(page: Entry, view: View): readonly Property[] {
  const database = page.parent;
  const properties = view.workspace.properties(page);
  if (database === null || database.schema === null) return properties;
  const visible = new Set(visibleColumns(database, view).map(({ name }) => name));
  return properties.filter(({ name, value }) => value.type !== "relation" || visible.has(name));
}

/** A database's columns as a grant sees them. */
export function visibleColumns(database: Entry, view: View): readonly PropertySchema[] {
  const columns = database.schema?.properties ?? [];
  return columns.filter(
    (column) => column.type !== "relation" || relatedDatabase(database, column, view) !== null,
  );
}

/** The database that a relation leads to, where the grant sees it. */
export function relatedDatabase(database: Entry, column: PropertySchema, view: View): Entry | null {
  const related = column.database === null ? null : view.workspace.related(database, column.database);
  return related === null ? null : view.entry(related.id);
}
