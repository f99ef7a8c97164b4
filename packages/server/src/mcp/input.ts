import { wordsOfPattern } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";
import { matchNames, type SentValue } from "./argument-names.ts";
import { isSameWord, meansAll, sortAndOrder, sortFieldsOf } from "./argument-words.ts";
import { conditionsInObject } from "./condition-forms.ts";

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

/** Arguments that are read: no tool has half as many parameters. */
const maxArguments = 50;

/**
 * Reads the arguments of a call as its schema describes them. Throws `ApiError` `invalid_request`, which names each
 * parameter and what it may be.
 */
export function readInput(schema: InputSchema, raw: unknown): ReadInput {
  const { properties, required = [] } = schema;
  const given = Object.entries(readObject(raw)).filter(([, value]) => !isAbsent(value));
  if (given.length > maxArguments)
    throw new ApiError("invalid_request", `The tool takes no ${given.length} arguments.`, {
      errors: [{ path: "arguments", message: `may have up to ${maxArguments} fields` }],
    });
  const { sent: named, asides, errors: nameErrors } = matchNames(given, Object.keys(properties));
  const sent = unfolded(named, properties);
  const missing = required.filter((parameter) => !sent.has(parameter));
  const errors = [...nameErrors, ...missing.map((path) => ({ path, message: "is missing" }))];
  const values: Record<string, unknown> = {};
  const notes: string[] = [];
  for (const [parameter, { name, isGuess, value }] of sent) {
    const others = Object.keys(properties).filter((other) => !sent.has(other) && values[other] === undefined);
    const read = readArgument(properties, parameter, value, others);
    if ("fault" in read) {
      errors.push({
        path: name,
        message: `${isGuess ? `was read as ${parameter}, which ` : ""}${read.fault}`,
      });
      continue;
    }
    if (read.value !== undefined) values[read.parameter] = read.value;
    if (read.bound !== null) notes.push(`${parameter} is ${read.bound}`);
    if (read.parameter !== parameter)
      notes.push(`${name}=${textIn(value)} was read as ${read.parameter}=${read.value}`);
    else if (isGuess) notes.push(`${name} was read as ${parameter}`);
  }
  if (errors.length > 0)
    throw new ApiError("invalid_request", "The tool's arguments are not valid.", { errors });
  return { values, notes: [...notes, ...ignored(asides)] };
}

/** An argument as it was read, or what is wrong with it. */
type ReadArgument =
  | {
      readonly parameter: string;
      /** Undefined for a word that stands for every value. */
      readonly value: unknown;
      /** The bound that a number became; null if it is within its bounds. */
      readonly bound: string | null;
    }
  | { readonly fault: string };

/** Parameters that are a page, if they are texts. Lists of other texts are words, and are joined. */
const takesOnePage = new Set(["page", "near", "under", "database", "from", "to", "id"]);

/** Reads the value of a parameter. A word that only one of `others` has is the value of that one. */
function readArgument(
  properties: InputSchema["properties"],
  parameter: string,
  value: unknown,
  others: readonly string[],
): ReadArgument {
  const property = properties[parameter] ?? {};
  let bound: string | null = null;
  if (property.type === "string" && takesOnePage.has(parameter) && Array.isArray(value) && value.length > 1)
    return { fault: "takes one page" };
  try {
    const taken = readValue(property, value, (reached) => {
      bound = reached;
    });
    return { parameter, value: taken, bound };
  } catch (error) {
    if (!(error instanceof Misfit)) throw error;
    const place = hasWords(property) ? placeOf(properties, others, value) : null;
    return place === null ? { fault: error.message } : { ...place, bound: null };
  }
}

/** Takes apart the values in which agents send more than one: a sort with its direction, and conditions as objects. */
function unfolded(
  named: ReadonlyMap<string, SentValue>,
  { sort: sortProperty, order: orderProperty }: InputSchema["properties"],
): ReadonlyMap<string, SentValue> {
  const sent = new Map(named);
  const where = sent.get("where");
  if (where !== undefined) sent.set("where", { ...where, value: withConditions(where.value) });
  const sorted = sent.get("sort");
  if (sorted === undefined || sortProperty === undefined || orderProperty === undefined) return sent;
  const { value } = sorted;
  // A column may be called `Due desc`: where there are no words to choose from, the tool decides.
  const ofText = typeof value === "string" && hasWords(sortProperty) ? sortAndOrder(value) : null;
  const { sort, order } = sortFieldsOf(value) ?? ofText ?? {};
  if (sort !== undefined) sent.set("sort", { ...sorted, value: sort });
  if (order !== undefined && !sent.has("order")) sent.set("order", { ...sorted, value: order });
  return sent;
}

function withConditions(value: unknown): unknown {
  const given = typeof value === "string" && /^\s*[[{].*[\]}]\s*$/s.test(value) ? parseJson(value) : value;
  if (Array.isArray(given)) return given.flatMap((each) => conditionsInObject(each) ?? [each]);
  return conditionsInObject(given) ?? value;
}

const hasWords = ({ enum: words, pattern, items }: Property): boolean =>
  words !== undefined || pattern !== undefined || (items !== undefined && hasWords(items));

/** The one parameter of `others` that has a word for a value: `backlinks` is no kind of links, but a direction. */
function placeOf(
  properties: InputSchema["properties"],
  others: readonly string[],
  value: unknown,
): { readonly parameter: string; readonly value: unknown } | null {
  const places = others.flatMap((parameter) => {
    const property = properties[parameter];
    if (property === undefined || !hasWords(property)) return [];
    try {
      return [{ parameter, value: readValue(property, value, () => {}) }];
    } catch (error) {
      if (error instanceof Misfit) return [];
      throw error;
    }
  });
  const [only, ...more] = places;
  return only === undefined || more.length > 0 ? null : only;
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

/** Hands `onBound` the bound that a number became. Undefined for a word that stands for every value. */
function readValue(property: Property, value: unknown, onBound: (bound: string) => void): unknown {
  if (property.type === "array") return readList(property, value);
  if (property.type === "integer") return readInteger(property, value, onBound);
  if (property.type === "boolean") return readBoolean(value);
  return readText(property, value);
}

function readText({ enum: allowed, pattern }: Property, value: unknown): string | undefined {
  const list = typeof value === "string" && /^\s*\[".*"\]\s*$/s.test(value) ? parseJson(value) : value;
  const text = textIn(list);
  if (allowed !== undefined) return readWord(allowed, text);
  if (typeof text !== "string") throw new Misfit("must be text");
  return pattern === undefined ? text.trim() : readPattern(pattern, text.trim());
}

function readWord(allowed: readonly string[], text: unknown): string | undefined {
  const known = typeof text === "string" ? allowed.find((word) => isSameWord(word, text)) : undefined;
  if (known !== undefined) return known;
  if (typeof text === "string" && meansAll(text)) return allowed.find((word) => word === "both");
  throw new Misfit(`must be one of ${allowed.join(", ")}`);
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
  return ["id", "page_id", "node_id", "url", "title", "name", "page"]
    .map((name) => parts.get(name))
    .find((part) => typeof part === "string");
}

function readPattern(pattern: string, text: string): string | undefined {
  if (new RegExp(pattern).test(text)) return text;
  if (meansAll(text)) return undefined;
  const known = wordsOfPattern(pattern);
  if (known === null) throw new Misfit(`must be like ${pattern}`);
  const { words, areNegatable } = known;
  const [negation = ""] = areNegatable ? (/^(?:-|!|not\s)/i.exec(text) ?? []) : [];
  const sign = negation === "" ? "" : "-";
  const meant = words.find((word) => isSameWord(word, text.slice(negation.length)));
  if (meant !== undefined) return sign + meant;
  const negated = areNegatable ? ", or one of them with - before it" : "";
  throw new Misfit(`must be one of ${words.join(", ")}${negated}`);
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
  return list.map((item) => readText(items, item)).filter((item) => item !== undefined);
}

function valuesOf(items: Property, value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  if (/^\s*\[.*\]\s*$/s.test(value)) {
    const parsed = parseJson(value);
    if (Array.isArray(parsed)) return parsed;
  }
  // A title may contain a comma, so lists of pages are split where they are resolved.
  return items.enum === undefined && items.pattern === undefined
    ? [value]
    : value.split(/,|(?<!\s)\s+and\s+/i);
}
