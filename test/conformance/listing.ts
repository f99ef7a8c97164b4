import { STATUS_CODES } from "node:http";
import type { RawAnswer, RawRequest } from "../support/raw-request.ts";

/** Columns that a JSON value may fill before it is broken into lines. */
const width = 100;

/** Headers of an answer that say something about it, as they are written. */
const telling = ["Location", "Content-Type", "WWW-Authenticate", "Allow"];

/** A request as it would be typed. */
export function listRequest({ method, path, headers = {}, body }: RawRequest): string {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
  ];
  return [...lines, ...(body === undefined ? [] : ["", layJson(JSON.parse(String(body)))])].join("\n");
}

/** An answer with its status, the headers that matter and those that `shown` adds, and its body. */
export function listAnswer(
  { status, headers, text, body }: RawAnswer,
  shown: readonly string[] = [],
): string {
  const lines = [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`];
  for (const name of [...telling, ...shown]) {
    for (const value of [headers[name.toLowerCase()] ?? []].flat()) lines.push(`${name}: ${value}`);
  }
  if (text !== "") lines.push("", body === undefined ? text.trimEnd() : layJson(body));
  return lines.join("\n");
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
