import { type NodeId, parseNodeId } from "@clew/graph";
import { ProviderError, timeRange } from "@clew/provider";

/*
 * Reads JSON that may have any shape (SYNC-5). `required…` readers want a value of their type; `optional…` readers also
 * accept undefined and null. Both throw `UnreadableError` for anything else, so that a malformed answer is never taken
 * for an empty one. Unknown fields are ignored.
 */

/** A field is missing or has the wrong type. The message says which field, never its value. */
export class UnreadableError extends ProviderError {
  constructor(expected: string, path: readonly Key[]) {
    super(
      "malformed",
      `failed to read the provider's answer: expected ${expected} at ${path.join(".") || "the top level"}`,
    );
    this.name = "UnreadableError";
  }
}

/** A type that Clew does not know: not malformed, but not readable either (SYNC-5). */
export class UnsupportedTypeError extends Error {
  /** As the provider writes it. */
  readonly type: string;

  constructor(type: string) {
    super(`The type ${type} is not supported`);
    this.name = "UnsupportedTypeError";
    this.type = type;
  }
}

/** The name of a field, or an index in a list. */
type Key = string | number;

/** Returns the value with its type, or undefined if it has another. */
type Reader<T> = (value: unknown) => T | undefined;

/** The value at a path; undefined if there is none. */
export function at(value: unknown, ...path: readonly Key[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof key === "number" ? !Array.isArray(here) : !isObject(here)) return undefined;
    here = Object.hasOwn(Object(here), key) ? Reflect.get(Object(here), key) : undefined;
  }
  return here;
}

/** Whether a value has more than this many lists and objects in one another. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function required<T>(expected: string, read: Reader<T>): (value: unknown, ...path: readonly Key[]) => T {
  return (value, ...path) => {
    const found = read(at(value, ...path));
    if (found === undefined) throw new UnreadableError(expected, path);
    return found;
  };
}

function optional<T>(
  expected: string,
  read: Reader<T>,
): (value: unknown, ...path: readonly Key[]) => T | null {
  const readRequired = required(expected, read);
  return (value, ...path) => ((at(value, ...path) ?? null) === null ? null : readRequired(value, ...path));
}

/** Without lone surrogates, which UTF-8 cannot encode. */
const text: Reader<string> = (value) => (typeof value === "string" ? value.toWellFormed() : undefined);
const number: Reader<number> = (value) => (Number.isFinite(value) ? Number(value) : undefined);
const boolean: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
const list: Reader<readonly unknown[]> = (value) => (Array.isArray(value) ? value : undefined);
const object: Reader<Readonly<Record<string, unknown>>> = (value) => (isObject(value) ? value : undefined);
/** The id of a page, database, data source or block. */
const id: Reader<NodeId> = (value) =>
  typeof value === "string" ? (parseNodeId(value) ?? undefined) : undefined;
const time: Reader<number> = (value) =>
  typeof value === "string" ? (parseTime(value) ?? undefined) : undefined;

/**
 * Reads a time as ISO 8601 or an HTTP header has it, in milliseconds since the Unix epoch; null for a time beyond the years
 * 1 to 9999, which neither dates nor queries can express.
 */
export function parseTime(text: string): number | null {
  const milliseconds = Date.parse(text);
  return milliseconds >= timeRange.first && milliseconds <= timeRange.last ? milliseconds : null;
}

export const requiredText = required("text", text);
export const requiredBoolean = required("true or false", boolean);
export const requiredList = required("a list", list);
export const requiredObject = required("an object", object);
export const requiredId = required("an id", id);
export const requiredTime = required("a time", time);

export const optionalText = optional("text", text);
export const optionalNumber = optional("a number", number);
export const optionalBoolean = optional("true or false", boolean);
export const optionalList = optional("a list", list);
export const optionalObject = optional("an object", object);
export const optionalId = optional("an id", id);

/** The text at a path; null if there is none, or something else. */
export function textAt(value: unknown, ...path: readonly Key[]): string | null {
  return text(at(value, ...path)) ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
