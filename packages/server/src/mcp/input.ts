import { type FieldError, wordsOfPattern } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";
import { editDistance } from "../model/edit-distance.ts";

/*
 * Reads the arguments of tools as agents send them (AGT-3): null and empty text are absent, numbers and booleans may be
 * text, and a list may be one value, comma-separated text or JSON.
 */

/** The part of JSON Schema that inputs of tools use. */
interface Property {
  readonly type?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly items?: Property;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
}

export interface InputSchema {
  readonly properties: Readonly<Record<string, Property>>;
  readonly required?: readonly string[];
}

/** A value that does not fit; the message completes a sentence that begins with the parameter's name. */
class Misfit extends Error {}

/**
 * The arguments of a call as its schema describes them. Throws `ApiError` `invalid_request`, which names each
 * parameter and what it may be.
 */
export function readInput(schema: InputSchema, raw: unknown): Record<string, unknown> {
  const given = readObject(raw);
  const { properties, required = [] } = schema;
  const names = Object.keys(properties);
  const errors: FieldError[] = [];
  const input: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (property === undefined) {
      errors.push({ path: name, message: `is not known. ${suggestion(name, names)}` });
      continue;
    }
    if (isAbsent(value)) continue;
    try {
      input[name] = readValue(property, value);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      errors.push({ path: name, message: error.message });
    }
  }
  for (const name of required) {
    if (!(name in input) && !errors.some(({ path }) => path === name))
      errors.push({ path: name, message: "is missing" });
  }
  if (errors.length === 0) return input;
  throw new ApiError("invalid_request", "The tool's arguments are not valid.", { errors });
}

/** Some agents send the arguments as JSON in a text. */
function readObject(raw: unknown): object {
  const value = typeof raw === "string" ? parseJson(raw) : (raw ?? {});
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  throw new ApiError("invalid_request", "The tool's arguments must be a JSON object.");
}

/** Numbers keep their digits as text: `636500e3` is a short id. Undefined if the text is no JSON. */
function parseJson(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text, numberAsText);
  } catch {
    return undefined;
  }
}

/** A reviver for JSON. Its third argument is that of ECMAScript 2026 (`JSON.parse` source text access). */
const numberAsText = (_: string, value: unknown, context?: { readonly source?: string }): unknown =>
  typeof value === "number" ? context?.source : value;

const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === "string" && value.trim() === "");

function readValue(property: Property, value: unknown): unknown {
  if (property.type === "array") return readList(property, value);
  if (property.type === "integer") return readInteger(property, value);
  if (property.type === "boolean") return readBoolean(value);
  return readText(property, value);
}

function readText({ enum: allowed, pattern }: Property, value: unknown): string {
  const list = typeof value === "string" && /^\s*\[".*"\]\s*$/s.test(value) ? parseJson(value) : value;
  // A list with one value is that value.
  const single: unknown = Array.isArray(list) && list.length === 1 ? list[0] : value;
  const text = typeof single === "number" ? String(single) : single;
  if (typeof text !== "string") throw new Misfit("must be text");
  if (pattern !== undefined && !new RegExp(pattern).test(text.trim()))
    throw new Misfit(patternMessage(pattern));
  if (allowed === undefined) return text.trim();
  const known = allowed.find((word) => word === text.trim().toLowerCase());
  if (known === undefined) throw new Misfit(`must be one of ${allowed.join(", ")}`);
  return known;
}

function patternMessage(pattern: string): string {
  const known = wordsOfPattern(pattern);
  if (known === null) return `must be like ${pattern}`;
  return `must be one of ${known.words.join(", ")}${known.areNegatable ? ", or one of them with - before it" : ""}`;
}

function readInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Property, value: unknown): number {
  const number = typeof value === "string" && /^\s*-?\d+(?:\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (Number.isInteger(number) && Number(number) >= minimum && Number(number) <= maximum)
    return Number(number);
  const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
  throw new Misfit(`must be a whole number ${range}`);
}

function readBoolean(value: unknown): boolean {
  const word = typeof value === "string" ? value.trim().toLowerCase() : value;
  if (word === true || word === "true" || word === "yes" || word === "1" || word === 1) return true;
  if (word === false || word === "false" || word === "no" || word === "0" || word === 0) return false;
  throw new Misfit("must be true or false");
}

function readList({ items = {}, minItems = 0, maxItems }: Property, value: unknown): unknown[] {
  const list = valuesOf(items, value).filter((item) => !isAbsent(item));
  if (list.length < minItems) throw new Misfit("must not be empty");
  if (maxItems !== undefined && list.length > maxItems) throw new Misfit(`may have up to ${maxItems} values`);
  return list.map((item) => readText(items, item));
}

function valuesOf(items: Property, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  if (/^\s*\[.*\]\s*$/s.test(value)) {
    const parsed = parseJson(value);
    if (Array.isArray(parsed)) return parsed;
  }
  // A title may contain a comma, so lists of pages are split where they are resolved.
  return items.enum === undefined && items.pattern === undefined ? [value] : value.split(",");
}

/** Other names that agents use for parameters. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  query: ["q", "text", "keyword", "keywords", "search", "question"],
  page: ["id", "ids", "page_id", "node", "node_id", "url", "title", "pages"],
  limit: ["max_results", "top_k", "page_size", "count", "n", "max_paths"],
  skip: ["cursor", "start", "start_cursor"],
  kinds: ["edge_type", "edge_types", "link_type", "types"],
  depth: ["max_depth", "hops"],
  workspace: ["workspace_id", "workspace_name"],
  under: ["parent", "parent_id", "ancestor", "folder"],
  updated_after: ["since", "edited_after", "modified_after", "after"],
  sort: ["sort_by", "order_by"],
  from: ["source", "start_page"],
  to: ["target", "end_page"],
  max_tokens: ["max_chars", "max_length"],
};

/** Longer names are compared by their beginning alone. */
const longestName = 40;
const maxTypos = 2;

function suggestion(name: string, known: readonly string[]): string {
  const lower = name.slice(0, longestName).toLowerCase();
  const nearest =
    known.find((candidate) => synonyms[candidate]?.includes(lower)) ??
    known.find((candidate) => editDistance(lower, candidate) <= maxTypos);
  const all = `There are ${known.join(", ")}`;
  return nearest === undefined ? all : `Did you mean ${nearest}? ${all}`;
}
