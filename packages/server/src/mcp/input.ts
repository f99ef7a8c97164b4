import { wordsOfPattern } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";
import { matchNames } from "./argument-names.ts";

/*
 * Reads the arguments of tools as agents send them (AGT-3): null and empty text are absent, numbers and booleans may be
 * text, a list may be one value, comma-separated text or JSON, and a number beyond its bounds is the bound.
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

/** The arguments of a call. */
export interface ReadInput {
  readonly values: Readonly<Record<string, unknown>>;
  /** One for each argument that was read otherwise than it was sent, or not at all; without full stops. */
  readonly notes: readonly string[];
}

/**
 * Reads the arguments of a call as its schema describes them. Throws `ApiError` `invalid_request`, which names each
 * parameter and what it may be.
 */
export function readInput(schema: InputSchema, raw: unknown): ReadInput {
  const { properties, required = [] } = schema;
  const given = Object.entries(readObject(raw)).filter(([, value]) => !isAbsent(value));
  const { sent, asides, errors: nameErrors } = matchNames(given, Object.keys(properties));
  const missing = required.filter((parameter) => !sent.has(parameter));
  const errors = [...nameErrors, ...missing.map((path) => ({ path, message: "is missing" }))];
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [parameter, { name, isGuess, value }] of sent) {
    const property = properties[parameter];
    if (property === undefined) continue;
    try {
      values[parameter] = readValue(property, value, (bound) => notes.push(`${parameter} is ${bound}`));
      if (isGuess) notes.push(`${name} was read as ${parameter}`);
    } catch (error) {
      if (!(error instanceof Misfit)) throw error;
      const guess = isGuess ? `was read as ${parameter}, which ` : "";
      errors.push({ path: name, message: guess + error.message });
    }
  }
  if (errors.length > 0)
    throw new ApiError("invalid_request", "The tool's arguments are not valid.", { errors });
  return { values, notes: [...notes, ...ignored(asides)] };
}

/** The number of names that a note lists. */
const maxNamed = 5;

function ignored(names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : "";
  return [`${names.slice(0, maxNamed).join(", ")}${more} ${names.length === 1 ? "was" : "were"} ignored`];
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

/** Hands `onBound` the bound that a number became. */
function readValue(property: Property, value: unknown, onBound: (bound: string) => void): unknown {
  if (property.type === "array") return readList(property, value);
  if (property.type === "integer") return readInteger(property, value, onBound);
  if (property.type === "boolean") return readBoolean(value);
  return readText(property, value);
}

function readText({ enum: allowed, pattern }: Property, value: unknown): string {
  const list = typeof value === "string" && /^\s*\[".*"\]\s*$/s.test(value) ? parseJson(value) : value;
  const text = textIn(list);
  if (typeof text !== "string") throw new Misfit("must be text");
  if (pattern !== undefined) return readPattern(pattern, text.trim());
  if (allowed === undefined) return text.trim();
  const known = allowed.find((word) => isSameWord(word, text));
  if (known === undefined) throw new Misfit(`must be one of ${allowed.join(", ")}`);
  return known;
}

/** A list of words is a text, and what names a page by its parts is the page's id, address or title. */
function textIn(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (Array.isArray(value)) {
    const texts = value.map(textIn);
    return texts.length > 0 && texts.every((text) => typeof text === "string") ? texts.join(" ") : value;
  }
  if (typeof value !== "object" || value === null) return value;
  const parts = new Map<string, unknown>(Object.entries(value));
  return ["id", "page_id", "url", "title"]
    .map((name) => parts.get(name))
    .find((part) => typeof part === "string");
}

function readPattern(pattern: string, text: string): string {
  if (new RegExp(pattern).test(text)) return text;
  const known = wordsOfPattern(pattern);
  if (known === null) throw new Misfit(`must be like ${pattern}`);
  const { words, areNegatable } = known;
  const sign = areNegatable && text.startsWith("-") ? "-" : "";
  const meant = words.find((word) => isSameWord(word, text.slice(sign.length)));
  if (meant !== undefined) return sign + meant;
  const negated = areNegatable ? ", or one of them with - before it" : "";
  throw new Misfit(`must be one of ${words.join(", ")}${negated}`);
}

/** Other words for values. */
const sameWords: Readonly<Record<string, string>> = {
  incoming: "in",
  inbound: "in",
  outgoing: "out",
  outbound: "out",
  ascending: "asc",
  descending: "desc",
  child: "subpage",
  children: "subpage",
};

/** Whether two words are the same, but for case, singular and plural, what joins their parts, and other words for values. */
const isSameWord = (one: string, other: string): boolean => plainWord(one) === plainWord(other);

function plainWord(text: string): string {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, "_")
    .replace(/s$/, "");
  return sameWords[word] ?? word;
}

function readInteger(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: Property,
  value: unknown,
  onBound: (bound: string) => void,
): number {
  const number = typeof value === "string" && /^\s*-?\d+(?:\.0+)?\s*$/.test(value) ? Number(value) : value;
  if (
    typeof number !== "number" ||
    !(Number.isInteger(number) || Math.abs(number) === Number.POSITIVE_INFINITY)
  ) {
    const range = maximum === Number.MAX_SAFE_INTEGER ? `from ${minimum}` : `from ${minimum} to ${maximum}`;
    throw new Misfit(`must be a whole number ${range}`);
  }
  if (number > maximum) onBound(`at most ${maximum}, which was used`);
  if (number < minimum) onBound(`at least ${minimum}, which was used`);
  return Math.min(maximum, Math.max(minimum, number));
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
  if (isConditions(value)) return Object.entries(value).map(([column, wanted]) => `${column} = ${wanted}`);
  if (typeof value !== "string") return [value];
  if (/^\s*\[.*\]\s*$/s.test(value)) {
    const parsed = parseJson(value);
    if (Array.isArray(parsed)) return parsed;
  }
  // A title may contain a comma, so lists of pages are split where they are resolved.
  return items.enum === undefined && items.pattern === undefined ? [value] : value.split(",");
}

/** Whether a value is an object of columns and what they should be: `{"Kind": "red dwarf"}`. */
function isConditions(value: unknown): value is Record<string, string | number | boolean> {
  return (
    typeof value === "object" &&
    value !== null &&
    textIn(value) === undefined &&
    Object.values(value).every((wanted) => ["string", "number", "boolean"].includes(typeof wanted))
  );
}
