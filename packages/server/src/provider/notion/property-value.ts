import type { Json } from "../../model/node.ts";
import {
  at,
  optionalBoolean,
  optionalNumber,
  optionalObject,
  optionalText,
  requiredBoolean,
  requiredId,
  requiredList,
  requiredText,
  UnreadableError,
} from "./json.ts";
import { withoutExpiringUrls } from "./lasting-url.ts";
import { plainText } from "./rich-text.ts";
import { UnsupportedTypeError } from "./unsupported-type.ts";

/**
 * A property's value as plain JSON:
 * text of titles and rich text · number · true or false of a checkbox · name of a select or status, of whoever
 * created or edited · names of multi-selects, people and files (files' addresses expire) · `{start, end}` of a date ·
 * ids of a relation · `PREFIX-7` of a unique id · ISO 8601 of times · state of a verification · name or address of
 * a place · whatever a formula or rollup comes to. Null where it is empty, or of a type that holds no value. Throws
 * `UnreadableError`, and `UnsupportedTypeError` where the type of the property or of its result is new.
 * https://developers.notion.com/reference/page-property-values
 */
export function propertyValue(property: unknown): Json {
  const type = requiredText(property, "type");
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined;
  if (read === undefined) throw new UnsupportedTypeError(type);
  if (at(property, type) === undefined) throw new UnreadableError("a value", [type]);
  return read(property, type);
}

type Reader = (property: unknown, type: string) => Json;

const text: Reader = (property, type) => {
  const found = optionalText(property, type);
  return found === null ? null : withoutExpiringUrls(found);
};

const readers: Readonly<Record<string, Reader>> = {
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
    (optionalText(property, type, "name") ?? optionalText(property, type, "address")),
  button: () => null,
  formula,
  rollup,
};

function each(property: unknown, type: string, read: (at: number) => Json): Json {
  return requiredList(property, type).map((_, at) => read(at));
}

function richText(property: unknown, type: string): Json {
  return plainText(requiredList(property, type));
}

function optionName(property: unknown, type: string): Json {
  return optionalObject(property, type) && requiredText(property, type, "name");
}

/** Someone whose name is not disclosed to us is known by id. */
function personName(property: unknown, ...path: readonly (string | number)[]): string {
  return optionalText(property, ...path, "name") ?? requiredText(property, ...path, "id");
}

function person(property: unknown, type: string): Json {
  return optionalObject(property, type) && personName(property, type);
}

function date(property: unknown, type: string): Json {
  if (optionalObject(property, type) === null) return null;
  return { start: requiredText(property, type, "start"), end: optionalText(property, type, "end") };
}

function uniqueId(property: unknown, type: string): Json {
  const number = optionalObject(property, type) && optionalNumber(property, type, "number");
  const prefix = optionalText(property, type, "prefix");
  if (number === null) return null;
  return prefix === null || prefix === "" ? `${number}` : `${prefix}-${number}`;
}

const formulaResults: Readonly<Record<string, Reader>> = {
  string: text,
  number: optionalNumber,
  boolean: optionalBoolean,
  date,
};

/** A formula holds its result under the name of the result's type. */
function formula(property: unknown, type: string): Json {
  return resultOf(at(property, type), type, formulaResults);
}

const rollupResults: Readonly<Record<string, Reader>> = {
  number: optionalNumber,
  date,
  array: (result, type) => requiredList(result, type).map(propertyValue),
  incomplete: () => null,
};

/** A rollup is one number or date, or a list of values of the properties that it gathers. */
function rollup(property: unknown, type: string): Json {
  return resultOf(at(property, type), type, rollupResults);
}

function resultOf(result: unknown, of: string, known: Readonly<Record<string, Reader>>): Json {
  const type = requiredText(result, "type");
  const read = Object.hasOwn(known, type) ? known[type] : undefined;
  if (read === undefined) throw new UnsupportedTypeError(`${of}.${type}`);
  if (type !== "incomplete" && at(result, type) === undefined)
    throw new UnreadableError("a result", [of, type]);
  return read(result, type);
}
