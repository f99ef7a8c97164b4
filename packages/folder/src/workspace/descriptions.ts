import { iconOf, isRecord, readYamlMap } from "./front-matter.ts";
import { idOf, parseId } from "./ids.ts";
import { parseYaml } from "./yaml.ts";

/** Bytes of a description that are parsed: about 2 500 people, or 10 000 columns. */
const maxDescription = 256 * 1024;

/** The identity of a workspace. */
export interface Identity {
  readonly id: string;
  readonly name: string;
  readonly icon: string | null;
  /** The dialect that the folder names; undefined if it names none. */
  readonly dialect: unknown;
}

/**
 * Parses `_workspace.yml` (`name`, `icon`, `id`, `dialect`). By default the name is that of the folder. The id is derived from the
 * name, so that it stays the same when the folder moves.
 */
export function readIdentity(text: string | null, folderName: string): Identity {
  const yaml = readYamlMap(text ?? "", maxDescription);
  const data = yaml.ok ? yaml.data : {};
  const name = typeof data.name === "string" && data.name.trim() !== "" ? data.name.trim() : folderName;
  const id =
    typeof data.id === "string" ? (parseId(data.id) ?? idOf("workspace", data.id)) : idOf("workspace", name);
  return { id, name, icon: iconOf(data.icon), dialect: data.dialect };
}

/** A person who can sign in at the consent screen. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Names of the top-level pages that this person shares by default; null for all. */
  readonly shares: readonly string[] | null;
}

/** The people of a folder that names none. */
export const samplePeople: readonly Person[] = [
  person("Librarian", "librarian@workspace.example", null),
  person("Visitor", "visitor@workspace.example", null),
];

/** Parses `_people.yml`: a list of `{id?, name, email, folders?}`. By default there are a librarian and a visitor. */
export function readPeople(text: string | null): { people: readonly Person[]; faults: string[] } {
  if (text === null) return { people: samplePeople, faults: [] };
  const faults: string[] = [];
  const people = listIn(text, faults).flatMap((value) => {
    const read = readPerson(value);
    if (read === null) faults.push("a person has no name or no email address");
    return read ?? [];
  });
  const seen = new Set<string>();
  const once = people.filter(({ id }) => !seen.has(id) && seen.add(id));
  return { people: once.length > 0 ? once : samplePeople, faults };
}

function listIn(text: string, faults: string[]): readonly unknown[] {
  try {
    const value = parseYaml(text, maxDescription);
    if (Array.isArray(value)) return value;
    faults.push("it is not a list of people");
  } catch (error) {
    faults.push(error instanceof Error ? error.message : String(error));
  }
  return [];
}

function readPerson(value: unknown): Person | null {
  if (!isRecord(value) || typeof value.name !== "string" || typeof value.email !== "string") return null;
  const shares = Array.isArray(value.folders) ? value.folders.map(String) : null;
  const { id, ...rest } = person(value.name, value.email, shares);
  return { id: typeof value.id === "string" ? idOf("person", value.id) : id, ...rest };
}

function person(name: string, email: string, shares: readonly string[] | null): Person {
  return { id: idOf("person", email.toLowerCase()), name, email, shares };
}

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

/** The types of database properties, besides the title. */
type PropertyType = (typeof types)[number];

/** One column of a database. */
export interface PropertySchema {
  readonly name: string;
  readonly type: PropertyType;
  /** Only for a select, multi-select or status. */
  readonly options: readonly string[];
  /** Only for a relation: the path of the target database's folder, relative to this one. */
  readonly database: string | null;
}

/** The content of a `_database.yml`. */
export interface DatabaseSchema {
  readonly title: string | null;
  readonly icon: unknown;
  /** An id that stays the same when the folder moves. */
  readonly id: unknown;
  readonly inTrash: boolean;
  /** The name of the title property. */
  readonly titleProperty: string;
  readonly properties: readonly PropertySchema[];
}

/** Parses `_database.yml`. Invalid parts are ignored and listed in `faults`. */
export function readSchema(text: string): { schema: DatabaseSchema; faults: string[] } {
  const faults: string[] = [];
  const yaml = readYamlMap(text, maxDescription);
  if (!yaml.ok) faults.push(yaml.fault);
  const data = yaml.ok ? yaml.data : {};
  const titleProperty = typeof data.title_property === "string" ? data.title_property : "Name";
  const listed = isRecord(data.properties) ? Object.entries(data.properties) : [];
  const properties = listed.flatMap(([name, value]) => {
    const property = name === titleProperty ? null : readProperty(name, value);
    if (property === null) faults.push(`the property “${name}” has no valid type`);
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
