import type { Json, JsonObject } from "../notion/object-json.ts";
import type { View } from "../notion/view.ts";
import type { Entry } from "../workspace/entry.ts";
import { isRecord } from "../workspace/front-matter.ts";
import { ApiError, invalid } from "./api-error.ts";

const largestPage = 100;

/** Which part of a list is asked for. */
export interface Paging {
  readonly size: number;
  /** Where to go on, from the answer before; null for the beginning. */
  readonly from: Place | null;
}

/** The first item of a page by its key, and where it stood in the list when the cursor was made. */
interface Place {
  readonly key: string;
  readonly index: number;
}

/** Reads `page_size` and `start_cursor` of a query or body (https://developers.notion.com/reference/intro#pagination). */
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

function readCursor(part: "query" | "body", value: unknown): Place | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value !== "string") throw invalid(`${part}.start_cursor`, "a string", value);
  const [, index, key] = /^(\d+) (.*)$/s.exec(Buffer.from(value, "base64url").toString()) ?? [];
  if (index === undefined || key === undefined) throw unknownCursor(value);
  const place = { key, index: Number(index) };
  if (encodeCursor(place) !== value) throw unknownCursor(value);
  return place;
}

/** One page of a list. */
export interface Page<T> {
  readonly items: readonly T[];
  /** Null at the end. */
  readonly next: string | null;
}

/** Cuts a page out of a list whose items have keys of their own. */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T, index: number) => string,
  { size, from }: Paging,
): Page<T> {
  const start = from === null ? 0 : findPlace(items, keyOf, from);
  const following = items[start + size];
  return {
    items: items.slice(start, start + size),
    next:
      following === undefined
        ? null
        : encodeCursor({ key: keyOf(following, start + size), index: start + size }),
  };
}

/** An item stands where it stood, unless the list has changed since. */
function findPlace<T>(items: readonly T[], keyOf: (item: T, index: number) => string, from: Place): number {
  const there = items[from.index];
  if (there !== undefined && keyOf(there, from.index) === from.key) return from.index;
  const found = items.findIndex((item, index) => keyOf(item, index) === from.key);
  if (found === -1) throw unknownCursor(encodeCursor(from));
  return found;
}

/** A page as the API answers it. */
export function listJson(type: string, results: readonly Json[], next: string | null): JsonObject {
  return { object: "list", results, next_cursor: next, has_more: next !== null, type, [type]: {} };
}

function encodeCursor({ key, index }: Place): string {
  return Buffer.from(`${index} ${key}`).toString("base64url");
}

function unknownCursor(cursor: string): ApiError {
  return new ApiError("validation_error", `The start_cursor provided is invalid: ${cursor.slice(0, 100)}`);
}

/** The list that a question is answered with, made anew where it is not known. */
export type Listings = (view: View, question: unknown, make: () => readonly Entry[]) => readonly Entry[];

const mostKept = 20;

/** Keeps the lists that are paged through: each is filtered and sorted once, and not for every page of it. */
export function createListings(): Listings {
  const lists = new WeakMap<View, Map<string, readonly Entry[]>>();
  return (view, question, make) => {
    const known = lists.get(view) ?? new Map<string, readonly Entry[]>();
    lists.set(view, known);
    const key = JSON.stringify(question);
    const list = known.get(key) ?? make();
    if (known.size >= mostKept) known.clear();
    known.set(key, list);
    return list;
  };
}
