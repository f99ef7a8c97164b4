import { isRecord, readYamlMap } from "./front-matter.ts";

const types = [
  "rich_text",
  "number",
  "select",
  "multi_select",
  "status",
  "date",
  "checkbox",
  "url",
  "email",
  "relation",
] as const;

/** The types a property of a database may have, beside its title. */
type PropertyType = (typeof types)[number];

/** One column of a database. */
export interface PropertySchema {
  readonly name: string;
  readonly type: PropertyType;
  /** Of a select, multi-select or status: in the order of the file. */
  readonly options: readonly string[];
  /** Of a relation: the other database's folder, relative to this one's. */
  readonly database: string | null;
}

/** What a `_database.yml` says. */
export interface DatabaseSchema {
  readonly title: string | null;
  readonly icon: unknown;
  /** An id that the database keeps wherever its folder goes. */
  readonly id: unknown;
  readonly inTrash: boolean;
  /** The name of the property that holds a row's title. */
  readonly titleProperty: string;
  readonly properties: readonly PropertySchema[];
}

/** Reads a `_database.yml`. What cannot be understood is left out and named in `faults`. */
export function readSchema(text: string): { schema: DatabaseSchema; faults: string[] } {
  const faults: string[] = [];
  const yaml = readYamlMap(text);
  if (!yaml.ok) faults.push(yaml.fault);
  const data = yaml.ok ? yaml.data : {};
  const titleProperty = typeof data.title_property === "string" ? data.title_property : "Name";
  const listed = isRecord(data.properties) ? Object.entries(data.properties) : [];
  const properties = listed.flatMap(([name, value]) => {
    const property = name === titleProperty ? null : readProperty(name, value);
    if (property === null) faults.push(`the property “${name}” has no type that a database can hold`);
    return property ?? [];
  });
  const title = typeof data.title === "string" ? data.title : null;
  const { icon, id, in_trash: inTrash } = data;
  return { schema: { title, icon, id, inTrash: inTrash === true, titleProperty, properties }, faults };
}

function readProperty(name: string, value: unknown): PropertySchema | null {
  const definition = typeof value === "string" ? { type: value } : value;
  if (!isRecord(definition)) return null;
  const type = types.find((known) => known === definition.type);
  if (type === undefined) return null;
  const { options, database } = definition;
  if (type === "relation" && typeof database !== "string") return null;
  return {
    name,
    type,
    options: Array.isArray(options) ? options.map(String) : [],
    database: typeof database === "string" ? database : null,
  };
}
