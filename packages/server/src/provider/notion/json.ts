import { type NodeId, parseNodeId } from "../../model/node-id.ts";

/*
 * Reading JSON of somebody else's making: what is not there, or not of the expected type, is null or empty, never
 * an exception, so that one odd field does not cost a whole page.
 */

/** The value at a path of keys; undefined where there is none. */
export function at(value: unknown, ...path: readonly string[]): unknown {
  let here = value;
  for (const key of path) {
    if (!isObject(here) || !Object.hasOwn(here, key)) return undefined;
    here = here[key];
  }
  return here;
}

/** The text at a path, without the halves of characters that UTF-8 cannot carry. */
export function textAt(value: unknown, ...path: readonly string[]): string | null {
  const found = at(value, ...path);
  return typeof found === "string" ? found.toWellFormed() : null;
}

/** The finite number at a path. */
export function numberAt(value: unknown, ...path: readonly string[]): number | null {
  const found = at(value, ...path);
  return typeof found === "number" && Number.isFinite(found) ? found : null;
}

/** Whether true stands at a path. */
export function isTrueAt(value: unknown, ...path: readonly string[]): boolean {
  return at(value, ...path) === true;
}

/** The list at a path. */
export function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** The names and values of the object at a path. */
export function entriesAt(value: unknown, ...path: readonly string[]): [string, unknown][] {
  const found = at(value, ...path);
  return isObject(found) ? Object.entries(found) : [];
}

/** The page, database or block id at a path. */
export function idAt(value: unknown, ...path: readonly string[]): NodeId | null {
  const found = textAt(value, ...path);
  return found === null ? null : parseNodeId(found);
}

/** The time at a path, in milliseconds since the Unix epoch. */
export function timeAt(value: unknown, ...path: readonly string[]): number | null {
  const time = Date.parse(textAt(value, ...path) ?? "");
  return Number.isNaN(time) ? null : time;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
