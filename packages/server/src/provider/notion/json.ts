import { type NodeId, parseNodeId } from "@clew/graph";
import { ProviderError } from "../port.ts";

/*
 * Reading JSON of somebody else's making (SYNC-5). `required…` readers want a value of their type. `optional…` readers
 * also take its absence, as undefined or null. Both throw `UnreadableError` for anything else: what cannot be read is
 * never taken for nothing. Fields that Clew does not know are ignored.
 */

/** An answer that lacks a field that it must have, or has it in another shape. Says where, never what stands there. */
export class UnreadableError extends ProviderError {
  constructor(expected: string, path: readonly Key[]) {
    super(
      "nonsense",
      `The provider's answer makes no sense: expected ${expected} at ${path.join(".") || "its top"}`,
    );
    this.name = "UnreadableError";
  }
}

/** The name of a field, or a place in a list. */
export type Key = string | number;

/** Turns a value into one of its type; undefined where it is of another. */
type Reader<T> = (value: unknown) => T | undefined;

/** The value at a path of keys; undefined where there is none. */
export function at(value: unknown, ...path: readonly Key[]): unknown {
  let here = value;
  for (const key of path) {
    if (typeof key === "number" ? !Array.isArray(here) : !isObject(here)) return undefined;
    here = Object.hasOwn(Object(here), key) ? Reflect.get(Object(here), key) : undefined;
  }
  return here;
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
  return (value, ...path) => {
    const there = at(value, ...path);
    if (there === undefined || there === null) return null;
    const found = read(there);
    if (found === undefined) throw new UnreadableError(expected, path);
    return found;
  };
}

/** Text, without the halves of characters that UTF-8 cannot carry. */
const text: Reader<string> = (value) => (typeof value === "string" ? value.toWellFormed() : undefined);
const number: Reader<number> = (value) => (Number.isFinite(value) ? Number(value) : undefined);
const boolean: Reader<boolean> = (value) => (typeof value === "boolean" ? value : undefined);
const list: Reader<readonly unknown[]> = (value) => (Array.isArray(value) ? value : undefined);
const object: Reader<Readonly<Record<string, unknown>>> = (value) => (isObject(value) ? value : undefined);
/** The id of a page, database, data source or block. */
const id: Reader<NodeId> = (value) =>
  typeof value === "string" ? (parseNodeId(value) ?? undefined) : undefined;
/** A time, in milliseconds since the Unix epoch. */
const time: Reader<number> = (value) => {
  const milliseconds = typeof value === "string" ? Date.parse(value) : Number.NaN;
  return Number.isNaN(milliseconds) ? undefined : milliseconds;
};

export const requiredText = required("a text", text);
export const requiredBoolean = required("true or false", boolean);
export const requiredList = required("a list", list);
export const requiredObject = required("an object", object);
export const requiredId = required("an id", id);
export const requiredTime = required("a time", time);

export const optionalText = optional("a text", text);
export const optionalNumber = optional("a number", number);
export const optionalBoolean = optional("true or false", boolean);
export const optionalList = optional("a list", list);
export const optionalObject = optional("an object", object);
export const optionalId = optional("an id", id);

/** The text at a path, for whoever judges its absence; null where there is none. */
export function textAt(value: unknown, ...path: readonly Key[]): string | null {
  return text(at(value, ...path)) ?? null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
