import { STATUS_CODES } from "node:http";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";

/** Columns that a JSON value may fill before it is broken into lines. */
const width = 100;

/** Headers of an answer that say something about it, as they are written. */
const telling = ["Location", "Content-Type", "WWW-Authenticate", "Allow"];

/** Makes a text fit to be shown. */
type Mask = (text: string) => string;

/** A request as it would be typed. */
export function listRequest({ method, path, headers = {}, body }: RawRequest, mask: Mask): string {
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = mask([`${method} ${path} HTTP/1.1`, ...fields].join("\n"));
  return body === undefined ? head : `${head}\n\n${layJson(JSON.parse(mask(String(body))))}`;
}

/** An answer with its status, the headers that matter and those that `shown` adds, and its body, which is JSON. */
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

/** JSON that is broken into lines only where it does not fit on one. */
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
