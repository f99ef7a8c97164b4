import { STATUS_CODES } from "node:http";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";

/** The maximum width of a JSON value on one line. */
const width = 100;

/** The response headers that are shown. */
const telling = ["Location", "Content-Type", "WWW-Authenticate", "Allow"];

/** Prepares a text for display. */
type Mask = (text: string) => string;

/** A request in HTTP notation. */
export function listRequest({ method, path, headers = {}, body }: RawRequest, mask: Mask): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = mask([`${method} ${path} HTTP/1.1`, ...fields].join("\n"));
  return body === undefined ? head : `${head}\n\n${layJson(JSON.parse(mask(String(body))))}`;
}

/** A response: its status, the relevant headers and those that `shown` adds, and its JSON body. */
export function listAnswer(
  { status, headers, text }: RawAnswer,
  mask: Mask,
  shown: readonly string[] = [],
): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (const name of [...telling, ...shown]) {
    for (const value of [headers[name.toLowerCase()] ?? []].flat()) lines.push(`${name}: ${value}`);
  }
  const head = mask(lines.join("\n"));
  return text === "" ? head : `${head}\n\n${layJson(JSON.parse(mask(text)))}`;
}

/** JSON with line breaks only in values that do not fit on one line. */
function layJson(value: unknown, indent = "", before = 0): string {
  const flat = layFlat(value);
  if (indent.length + before + flat.length <= width || typeof value !== "object" || value === null)
    return flat;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    const items = value.map((item) => deeper + layJson(item, deeper));
    return `[\n${items.join(",\n")}\n${indent}]`;
  }
  const fields = Object.entries(value).map(([name, field]) => {
    const label = `${JSON.stringify(name)}: `;
    return deeper + label + layJson(field, deeper, label.length);
  });
  return `{\n${fields.join(",\n")}\n${indent}}`;
}

function layFlat(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(layFlat).join(", ")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, field]) => `${JSON.stringify(name)}: ${layFlat(field)}`);
  return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`;
}
