import type { Json } from "../../model/node.ts";
import { at, idAt, isTrueAt, listAt, numberAt, textAt } from "./json.ts";
import { lastingLink, withoutExpiringUrls } from "./lasting-url.ts";
import { plainText } from "./rich-text.ts";

/**
 * A property's value as plain JSON:
 * text of titles and rich text · number · true or false of a checkbox · name of a select or status, of whoever
 * created or edited · names of multi-selects, people and files (files' addresses expire) · `{start, end}` of a date ·
 * ids of a relation · `PREFIX-7` of a unique id · ISO 8601 of times · state of a verification · name or address of
 * a place · whatever a formula or rollup comes to. Null where it is empty, or of a type that holds no value.
 * https://developers.notion.com/reference/page-property-values
 */
export function propertyValue(property: unknown): Json {
  const type = textAt(property, "type");
  if (type === null || !Object.hasOwn(readers, type)) return null;
  return readers[type]?.(at(property, type)) ?? null;
}

const text = (value: unknown) => textAt(value);

const readers: Readonly<Record<string, (value: unknown) => Json>> = {
  title: (value) => plainText(listAt(value)),
  rich_text: (value) => plainText(listAt(value)),
  number: (value) => numberAt(value),
  checkbox: (value) => isTrueAt(value),
  url: (value) => lastingLink(textAt(value)),
  email: text,
  phone_number: text,
  select: (value) => textAt(value, "name"),
  status: (value) => textAt(value, "name"),
  multi_select: (value) => texts(listAt(value).map((option) => textAt(option, "name"))),
  date,
  people: (value) => texts(listAt(value).map(personName)),
  created_by: personName,
  last_edited_by: personName,
  created_time: text,
  last_edited_time: text,
  files: (value) => texts(listAt(value).map(fileName)),
  relation: (value) => texts(listAt(value).map((target) => idAt(target, "id"))),
  unique_id: uniqueId,
  verification: (value) => textAt(value, "state"),
  place: (value) => textAt(value, "name") ?? textAt(value, "address"),
  formula,
  rollup,
};

function texts(values: readonly (string | null)[]): string[] {
  return values.filter((value) => value !== null);
}

/** Someone whose name is not disclosed to us is known by id. */
function personName(person: unknown): string | null {
  return textAt(person, "name") ?? textAt(person, "id");
}

function fileName(file: unknown): string | null {
  const name = textAt(file, "name");
  return name === null ? null : withoutExpiringUrls(name);
}

function date(value: unknown): Json {
  const start = textAt(value, "start");
  return start === null ? null : { start, end: textAt(value, "end") };
}

function uniqueId(value: unknown): Json {
  const number = numberAt(value, "number");
  const prefix = textAt(value, "prefix");
  if (number === null) return null;
  return prefix === null || prefix === "" ? `${number}` : `${prefix}-${number}`;
}

/** A formula holds its result under the name of the result's type. */
function formula(value: unknown): Json {
  switch (textAt(value, "type")) {
    case "string": {
      const result = textAt(value, "string");
      return result === null ? null : withoutExpiringUrls(result);
    }
    case "number":
      return numberAt(value, "number");
    case "boolean":
      return at(value, "boolean") === null ? null : isTrueAt(value, "boolean");
    case "date":
      return date(at(value, "date"));
    default:
      return null;
  }
}

/** A rollup is one number or date, or a list of values of the properties that it gathers. */
function rollup(value: unknown): Json {
  switch (textAt(value, "type")) {
    case "number":
      return numberAt(value, "number");
    case "date":
      return date(at(value, "date"));
    case "array":
      return listAt(value, "array").map(propertyValue);
    default:
      return null;
  }
}
