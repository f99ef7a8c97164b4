import { type Entry, isRecord } from "@clew/folder";
import type { Json, JsonObject } from "../notion/object-json.ts";
import type { View } from "../notion/view.ts";
import { ApiError, invalid } from "./api-error.ts";

const largestPage = 100;

/** The requested page of a list. */
export interface Paging {
  readonly size: number;
  /** The position of the first item; null for the beginning. */
  readonly from: Position | null;
}

/** The key of an item, and its index when the cursor was created. */
interface Position {
  readonly key: string;
  readonly index: number;
}

/** Parses `page_size` and `start_cursor` of a query or body (https://developers.notion.com/reference/intro#pagination). */
export function readPaging(part: "query" | "body", source: unknown): Paging {
  const { page_size: size, start_cursor: cursor } = isRecord(source) ? source : {};
  return { size: readSize(part, size), from: readCursor(part, cursor) };
}

function readSize(part: "query" | "body", value: unknown): number {
  if (value === undefined || (part === "query" && value === "")) return largestPage;
  const size = part === "query" && typeof value === "string" ? Number(value) : value;
  if (typeof size !== "number" || !Number.isInteger(size))
    throw invalid(`${part}.page_size`, "an integer", value);
  if (size < 1) throw invalid(`${part}.page_size`, "≥ `1`", value);
  if (size > largestPage) throw invalid(`${part}.page_size`, "≤ `100`", value);
  return size;
}

function readCursor(part: "query" | "body", value: unknown): Position | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw invalid(`${part}.start_cursor`, "a string", value);
  const [, index, key] = /^(\d+) (.*)$/s.exec(Buffer.from(value, "base64url").toString()) ?? [];
  if (index === undefined || key === undefined) throw unknownCursor(value);
  const position = { key, index: Number(index) };
  if (encodeCursor(position) !== value) throw unknownCursor(value);
  return position;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null at the end. */
  readonly next: string | null;
}

/** Takes one page of a list whose items have unique keys. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T, index: number) => string,
  { size, from }: Paging,
): Page<T> {
  const start = from === null ? 0 : indexOf(items, keyOf, from);
  const following = items[start + size];
  return {
    items: items.slice(start, start + size),
    next:
      following === undefined
        ? null
        : encodeCursor({ key: keyOf(following, start + size), index: start + size }),
  };
}

/** The current index of an item, which differs from its old one if the list has changed. */
function indexOf<T>(items: readonly T[], keyOf: (item: T, index: number) => string, from: Position): number {
  const expected = items[from.index];
  if (expected !== undefined && keyOf(expected, from.index) === from.key) return from.index;
  const found = items.findIndex((item, index) => keyOf(item, index) === from.key);
  if (found === -1) throw unknownCursor(encodeCursor(from));
  return found;
}

/** A page of a list as the API returns it. */
export function listJson(type: string, results: readonly Json[], next: string | null): JsonObject {
  return { object: "list", results, next_cursor: next, has_more: next !== null, type, [type]: {} };
}

function encodeCursor({ key, index }: Position): string {
  return Buffer.from(`${index} ${key}`).toString("base64url");
}

function unknownCursor(cursor: string): ApiError {
  return new ApiError("validation_error", `The start_cursor provided is invalid: ${cursor.slice(0, 100)}`);
}

/** The list for a request, from the cache or from `make`. */
export type Listings = (view: View, request: unknown, make: () => readonly Entry[]) => readonly Entry[];

const maxCached = 20;

/** Caches filtered and sorted lists, so that their later pages do not filter and sort again. */
export function createListings(): Listings {
  const lists = new WeakMap<View, Map<string, readonly Entry[]>>();
  return (view, request, make) => {
    const known = lists.get(view) ?? new Map<string, readonly Entry[]>();
    lists.set(view, known);
    const key = JSON.stringify(request);
    const list = known.get(key) ?? make();
    if (known.size >= maxCached) known.clear();
    known.set(key, list);
    return list;
  };
}
