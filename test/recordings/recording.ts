import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

/** A recorded answer of the provider's API. */
export interface Recording {
  /** The file's name. */
  readonly name: string;
  readonly json: unknown;
}

/** The recordings in a folder: every JSON file there, by name. */
export async function readRecordings(folder: string): Promise<Recording[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  return Promise.all(
    names.map(async (name) => ({ name, json: JSON.parse(await readFile(join(folder, name), "utf8")) })),
  );
}

/** The value at a path of keys; undefined if there is none. */
export function at(json: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (here, key) =>
      typeof here === "object" && here !== null && Object.hasOwn(here, key)
        ? Reflect.get(here, key)
        : undefined,
    json,
  );
}

/** The entries of the list at a path; empty if there is no list. */
export function listAt(json: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(json, ...path);
  return Array.isArray(found) ? found : [];
}

/** The text at a path; empty if there is none. */
export function textAt(json: unknown, ...path: readonly string[]): string {
  const found = at(json, ...path);
  return typeof found === "string" ? found : "";
}
