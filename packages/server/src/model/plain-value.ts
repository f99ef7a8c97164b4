import { isJsonList, type Json } from "./node.ts";

/** A value as plain text: lists with commas, a range of dates as `start/end` (ISO 8601). */
export function plainText(value: Json): string {
  if (value === null) return "";
  if (isJsonList(value)) return value.map(plainText).join(", ");
  if (typeof value !== "object") return String(value);
  const { start, end = null } = value;
  if (start === undefined) return JSON.stringify(value);
  return end === null ? plainText(start) : `${plainText(start)}/${plainText(end)}`;
}
