import type { NodeId } from "@clew/graph";
import type { Json } from "@clew/provider";
import { ProviderError, type WholeProperty } from "@clew/provider";
import { namesOf } from "@clew/provider-text";
import type { NotionApi } from "./api.ts";
import {
  at,
  isDeeperThan,
  optionalBoolean,
  optionalList,
  optionalNumber,
  optionalObject,
  optionalText,
  requiredBoolean,
  requiredId,
  requiredList,
  requiredObject,
  requiredText,
  textAt,
  UnreadableError,
  UnsupportedTypeError,
} from "./json.ts";
import { answersOf, type Paging } from "./pagination.ts";
import { NotionReferenceTally } from "./reference-tally.ts";
import { plainText } from "./rich-text.ts";
import { type Dialect, withoutExpiringUrls } from "./urls.ts";
import type { formulaResults, properties, rollupResults } from "./vocabulary.ts";

/**
 * A property's value as plain JSON: the text of titles and rich text · a number · true or false of a checkbox · the name
 * of a select, status or person · the names of multi-selects, people and files, without files' addresses, which expire ·
 * `{start, end}` of a date · the ids of a relation · `PREFIX-7` of a unique id · a time as ISO 8601 · the state of a
 * verification · the name, address or coordinates of a place · the result of a formula or rollup. Null if it is empty, or of a type
 * without values. Throws `UnreadableError`, and `UnsupportedTypeError` if Clew does not know the type of the property or
 * of its result. https://developers.notion.com/reference/page-property-values
 */
export function propertyValue(property: unknown): Json {
  // Rollups in one another are read on the call stack.
  if (isDeeperThan(maxDepth, property))
    throw new UnreadableError(`a value of at most ${maxDepth} levels`, []);
  return typedValue(property, propertyReaders);
}

/** The most lists and objects in one another; a rollup takes three. */
const maxDepth = 64;

/** Reads the value of a property, or the result of a formula or rollup: a field that is named after its type. */
function typedValue(holder: unknown, known: Readers, ...of: readonly string[]): Json {
  const type = requiredText(holder, "type");
  const read = known.get(type);
  if (read === undefined) throw new UnsupportedTypeError([...of, type].join("."));
  if (type !== "incomplete" && at(holder, type) === undefined)
    throw new UnreadableError("a value", [...of, type]);
  return read(holder, type);
}

type Reader = (holder: unknown, type: string) => Json;
type Readers = ReadonlyMap<string, Reader>;

const text: Reader = (property, type) => {
  const found = optionalText(property, type);
  return found === null ? null : withoutExpiringUrls(found);
};

const richText: Reader = (property, type) => plainText(requiredList(property, type));

const optionName: Reader = (property, type) =>
  optionalObject(property, type) && requiredText(property, type, "name");

const person: Reader = (property, type) => optionalObject(property, type) && personName(property, type);

const date: Reader = (property, type) =>
  optionalObject(property, type) && {
    start: requiredText(property, type, "start"),
    end: optionalText(property, type, "end"),
  };

const uniqueId: Reader = (property, type) => {
  const number = optionalObject(property, type) && optionalNumber(property, type, "number");
  const prefix = optionalText(property, type, "prefix");
  if (number === null) return null;
  return prefix === null || prefix === "" ? `${number}` : `${prefix}-${number}`;
};

/** A reader for each type of a table but `unsupported`, which has no value. */
type Given<Table> = Readonly<Record<Exclude<keyof Table, "unsupported">, Reader>>;

const readersOf = (readers: Readonly<Record<string, Reader>>): Readers => new Map(Object.entries(readers));

/** Latitude and longitude of a place; null if it has none. */
function coordinates(property: unknown, type: string): string | null {
  const [latitude, longitude] = [
    optionalNumber(property, type, "lat"),
    optionalNumber(property, type, "lon"),
  ];
  return latitude === null || longitude === null ? null : `${latitude}, ${longitude}`;
}

const formulaReaders = readersOf({
  string: text,
  number: optionalNumber,
  boolean: optionalBoolean,
  date,
} satisfies Given<typeof formulaResults>);

const rollupReaders = readersOf({
  number: optionalNumber,
  date,
  array: (result, type) => requiredList(result, type).map((one) => typedValue(one, propertyReaders)),
  incomplete: () => null,
} satisfies Given<typeof rollupResults>);

const propertyReaders: Readers = readersOf({
  title: richText,
  rich_text: richText,
  number: optionalNumber,
  checkbox: requiredBoolean,
  url: text,
  email: optionalText,
  phone_number: optionalText,
  select: optionName,
  status: optionName,
  multi_select: (property, type) => each(property, type, (at) => requiredText(property, type, at, "name")),
  date,
  people: (property, type) => each(property, type, (at) => personName(property, type, at)),
  created_by: person,
  last_edited_by: person,
  created_time: optionalText,
  last_edited_time: optionalText,
  files: (property, type) =>
    each(property, type, (at) => withoutExpiringUrls(requiredText(property, type, at, "name"))),
  relation: (property, type) => each(property, type, (at) => requiredId(property, type, at, "id")),
  unique_id: uniqueId,
  verification: (property, type) => optionalObject(property, type) && requiredText(property, type, "state"),
  place: (property, type) =>
    optionalObject(property, type) &&
    (optionalText(property, type, "name") ||
      optionalText(property, type, "address") ||
      coordinates(property, type)),
  button: () => null,
  formula: (property, type) => typedValue(at(property, type), formulaReaders, type),
  rollup: (property, type) => typedValue(at(property, type), rollupReaders, type),
} satisfies Given<typeof properties>);

function each(property: unknown, type: string, read: (at: number) => Json): Json {
  return requiredList(property, type).map((_, at) => read(at));
}

/** The id, if the name is not disclosed. */
function personName(property: unknown, ...path: readonly (string | number)[]): string {
  return optionalText(property, ...path, "name") ?? requiredText(property, ...path, "id");
}

/** A property's value and references, as far as it lists them. Throws `UnreadableError`. */
export function readProperty(name: string, property: unknown, dialect: Dialect): WholeProperty {
  try {
    const value = propertyValue(property);
    const tally = new NotionReferenceTally(dialect);
    tally.property(name, property);
    return { value, unsupported: [], ...tally.held() };
  } catch (error) {
    if (!(error instanceof UnsupportedTypeError)) throw error;
    const unsupported = [{ kind: "property", type: error.type }] as const;
    return { value: null, unsupported, references: [], mentioned: [] };
  }
}

/** A page lists at most this many values of a property. https://developers.notion.com/reference/retrieve-a-page#limits */
const maxListedValues = 25;

/** Whether a page may have listed only the first values of a property. */
export function isCut(property: unknown): boolean {
  const type = textAt(property, "type");
  const isFull = (...path: string[]) => (optionalList(property, ...path)?.length ?? 0) >= maxListedValues;
  switch (type) {
    case "relation": {
      const hasMore = at(property, "has_more");
      return hasMore === undefined ? isFull(type) : hasMore !== false;
    }
    case "title":
    case "rich_text":
    case "people":
      return isFull(type);
    case "rollup":
      return textAt(property, type, "type") === "incomplete" || isFull(type, "array");
    default:
      return false;
  }
}

/**
 * Fetches all values of a property whose page lists only the first ones.
 * https://developers.notion.com/reference/retrieve-a-page-property
 */
export async function wholeProperty(
  api: NotionApi,
  pageId: NodeId,
  { id, name }: { id: string; name: string },
): Promise<WholeProperty> {
  let items: unknown[] = [];
  let last: unknown;
  const ask = (paging: Paging) => {
    if (paging.start_cursor === undefined) items = [];
    // The provider's own ids are percent-encoded already.
    const segment = /^[\w%~.!*'()-]+$/.test(id) ? id : encodeURIComponent(id);
    return api.call(({ pages }) =>
      pages.properties.retrieve({ page_id: pageId, property_id: segment, ...paging }),
    );
  };
  // A short property comes as one item instead of a list.
  const isSingle = (json: unknown) => textAt(json, "object") === "property_item";
  for await (const { results, json } of answersOf(ask, { isSingle, idOf: idOfItem })) {
    for (const item of results) items.push(item);
    last = json;
    if (items.length > maxItems)
      throw new ProviderError("malformed", `The provider lists more than ${maxItems} values of a property`);
  }
  const property = isSingle(last) ? last : propertyOfItems(last, items);
  if (textAt(property, "rollup", "type") === "incomplete")
    throw new UnreadableError("a whole rollup", ["rollup"]);
  const whole = readProperty(name, property, api.dialect);
  const isTitle = textAt(property, "type") === "title";
  return isTitle ? { ...whole, title: namesOf(String(whole.value), []).title } : whole;
}

/** Far more than the provider stores: a list of values that never ends is not held in memory. */
const maxItems = 100_000;

/** The id that an item of a relation or of people names. Items of other types may be equal. */
function idOfItem(item: unknown, json: unknown): string | null {
  const type = textAt(json, "property_item", "type") ?? "";
  return type === "relation" || type === "people" ? textAt(item, type, "id") : null;
}

/** Types whose items each hold one value of the list. */
const listTypes = new Set(["title", "rich_text", "people", "relation"]);

/**
 * Assembles a property from its items, in the shape that it has in a page. Throws `UnreadableError`.
 * https://developers.notion.com/reference/property-item-object
 */
export function propertyOfItems(last: unknown, items: readonly unknown[]): unknown {
  const type = requiredText(last, "property_item", "type");
  if (type === "rollup") {
    const rollup = requiredObject(last, "property_item", type);
    return requiredText(rollup, "type") === "array"
      ? { type, rollup: { type: "array", array: items.map(rollupEntryOf) } }
      : { type, rollup };
  }
  if (!listTypes.has(type)) throw new UnreadableError("a type that has items", ["property_item", "type"]);
  return { type, [type]: items.map((item) => requiredObject(item, type)) };
}

function rollupEntryOf(item: unknown): unknown {
  const type = requiredText(item, "type");
  const value = at(item, type);
  return !listTypes.has(type) || Array.isArray(value) ? item : { type, [type]: [value] };
}
