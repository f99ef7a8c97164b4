import type { Span } from "../document/span.ts";
import { plain } from "../document/span.ts";
import { isRecord } from "./front-matter.ts";
import type { DateRange, PropertyValue } from "./property.ts";
import type { PropertySchema } from "./schema.ts";
import { isDate } from "./time.ts";

/** What front matter means to a page's properties. */
export interface Reading {
  /** Rich text of a value: links and wiki links in it are followed. */
  line(text: string): readonly Span[];
  /** The id of the row of a related database that a path or a `[[name]]` names. */
  row(target: string, property: PropertySchema): string | null;
}

/** The value that front matter gives to a property of a database; an empty one where it fits not at all. */
export function valueAs(property: PropertySchema, value: unknown, reading: Reading): PropertyValue {
  const { type } = property;
  switch (type) {
    case "rich_text":
      return { type, text: isMissing(value) ? [] : reading.line(asText(value)) };
    case "number":
      return { type, number: asNumber(value) };
    case "checkbox":
      return { type, checked: value === true || value === "true" || value === "yes" };
    case "url":
    case "email":
      return { type, address: typeof value === "string" && value.trim() !== "" ? value.trim() : null };
    case "date":
      return { type, date: asDate(value) };
    case "select":
    case "status":
      return { type, option: isMissing(value) ? null : asText(asList(value)[0] ?? "") || null };
    case "multi_select":
      return { type, options: unique(asList(value).map(asText)) };
    case "relation":
      return {
        type,
        ids: unique(asList(value).flatMap((target) => reading.row(asText(target), property) ?? [])),
      };
  }
}

/** Front matter with `[[names]]` as they are written: without quotes YAML reads each as a list in a list. */
export function withWikiLinks(value: unknown): unknown {
  return wikiLink(value) ?? (Array.isArray(value) ? value.map((item) => wikiLink(item) ?? item) : value);
}

function wikiLink(value: unknown): string | null {
  const [inner, ...others]: readonly unknown[] = Array.isArray(value) ? value : [];
  if (!Array.isArray(inner) || inner.length === 0 || others.length > 0) return null;
  return inner.every((part) => typeof part === "string") ? `[[${inner.join(", ")}]]` : null;
}

/** The value that front matter of a page outside of databases has, its type told from its form; null for none. */
export function inferredValue(value: unknown, reading: Reading): PropertyValue | null {
  if (isMissing(value)) return null;
  if (typeof value === "number") return { type: "number", number: Number.isFinite(value) ? value : null };
  if (typeof value === "boolean") return { type: "checkbox", checked: value };
  if (Array.isArray(value)) {
    const items = asList(value);
    if (items.some((item) => typeof item === "string" && item.includes("[[")))
      return { type: "rich_text", text: reading.line(items.map(asText).join(", ")) };
    const simple = items.every((item) => typeof item === "string" || typeof item === "number");
    return simple
      ? { type: "multi_select", options: unique(items.map(asText)) }
      : textValue(JSON.stringify(items));
  }
  const date = asDate(value);
  if (date !== null) return { type: "date", date };
  if (typeof value !== "string") return textValue(JSON.stringify(value));
  if (/^https?:\/\/\S+$/i.test(value)) return { type: "url", address: value };
  return { type: "rich_text", text: reading.line(value) };
}

function textValue(text: string): PropertyValue {
  return { type: "rich_text", text: [{ kind: "text", text, marks: plain, link: null }] };
}

function isMissing(value: unknown): boolean {
  return value === null || value === undefined || (typeof value === "string" && value.trim() === "");
}

function asText(value: unknown): string {
  return typeof value === "string"
    ? value.trim()
    : typeof value === "object"
      ? JSON.stringify(value)
      : String(value);
}

function asList(value: unknown): readonly unknown[] {
  if (isMissing(value)) return [];
  return Array.isArray(value) ? value.filter((item) => !isMissing(item)) : [value];
}

function asNumber(value: unknown): number | null {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}

/** `2026-01-31`, a time of that day, `start/end`, or `{start, end}`. */
function asDate(value: unknown): DateRange | null {
  if (isRecord(value)) {
    const { start, end } = value;
    if (typeof start !== "string" || !isDate(start)) return null;
    return { start, end: typeof end === "string" && isDate(end) ? end : null };
  }
  if (typeof value !== "string") return null;
  const [start = "", end, ...more] = value.trim().split("/");
  if (!isDate(start) || more.length > 0 || (end !== undefined && !isDate(end))) return null;
  return { start, end: end ?? null };
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
