import { parse } from "yaml";
import { isRecord } from "./front-matter.ts";
import { idOf } from "./ids.ts";

/** Someone who can sign in at the consent screen. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  /** Names of what this person shares at the top of the workspace unless they choose otherwise; null for everything. */
  readonly shares: readonly string[] | null;
}

const defaults: readonly Person[] = [
  person("Librarian", "librarian@workspace.example", null),
  person("Visitor", "visitor@workspace.example", null),
];

/** Reads a `_people.yml`: a list of `{id?, name, email, folders?}`. Without one there are a librarian and a visitor. */
export function readPeople(text: string | null): { people: readonly Person[]; faults: string[] } {
  if (text === null) return { people: defaults, faults: [] };
  const faults: string[] = [];
  const people = listIn(text, faults).flatMap((value) => {
    const read = readPerson(value);
    if (read === null) faults.push("someone has no name or no e-mail address");
    return read ?? [];
  });
  const seen = new Set<string>();
  const once = people.filter(({ id }) => !seen.has(id) && seen.add(id));
  return { people: once.length > 0 ? once : defaults, faults };
}

function listIn(text: string, faults: string[]): readonly unknown[] {
  try {
    const value: unknown = parse(text, { logLevel: "error", prettyErrors: false });
    if (Array.isArray(value)) return value;
    faults.push("is not a list of people");
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
