import { isRecord } from "../workspace/front-matter.ts";
import { parseId } from "../workspace/ids.ts";
import { ApiError, invalid } from "./api-error.ts";

/** An id in a path, with or without dashes. */
export function readId(name: string, params: unknown): string {
  const value = isRecord(params) ? params[name] : undefined;
  const id = typeof value === "string" ? parseId(value) : null;
  if (id === null) throw invalid(`path.${name}`, "a valid uuid", value);
  return id;
}

/** A body as an object; no body at all is an empty one. */
export function readBody(body: unknown): Record<string, unknown> {
  if (body === undefined || body === null) return {};
  if (!isRecord(body))
    throw new ApiError("validation_error", "body failed validation: body should be an object.");
  return body;
}

/** One of a few words, or nothing. */
export function readChoice<T extends string>(place: string, value: unknown, choices: readonly T[]): T | null {
  if (value === undefined) return null;
  const choice = choices.find((one) => one === value);
  if (choice === undefined) throw invalid(place, choices.map((one) => `\`"${one}"\``).join(" or "), value);
  return choice;
}
