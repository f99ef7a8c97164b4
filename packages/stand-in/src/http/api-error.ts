import { isRecord } from "@clew/folder";
import type { JsonObject } from "../notion/object-json.ts";

/** The API's error codes and their statuses (https://developers.notion.com/reference/status-codes). */
const statuses = {
  invalid_json: 400,
  invalid_request_url: 400,
  invalid_request: 400,
  validation_error: 400,
  missing_version: 400,
  unauthorized: 401,
  restricted_resource: 403,
  object_not_found: 404,
  conflict_error: 409,
  rate_limited: 429,
  internal_server_error: 500,
  service_unavailable: 503,
  gateway_timeout: 504,
  service_overload: 529,
} as const;

export type ApiErrorCode = keyof typeof statuses;

interface Details {
  readonly headers?: Readonly<Record<string, string>>;
  readonly additionalData?: JsonObject;
}

/** An error response of the API. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly additionalData: JsonObject | null;

  constructor(code: ApiErrorCode, message: string, details: Details = {}) {
    super(message);
    this.name = "ApiError";
    this.code = code;
    this.status = statuses[code];
    this.headers = details.headers ?? {};
    this.additionalData = details.additionalData ?? null;
  }

  /** The response body. */
  toJson(requestId: string): JsonObject {
    return {
      object: "error",
      status: this.status,
      code: this.code,
      message: this.message,
      ...(this.additionalData === null ? {} : { additional_data: this.additionalData }),
      request_id: requestId,
    };
  }
}

/** The error for an object that does not exist or is not shared; the two do not differ. */
export function notFound(
  kind: "page" | "block" | "database" | "data source" | "user" | "property",
  id: string,
): ApiError {
  const advice = "Make sure the relevant pages and databases are shared with your integration.";
  return new ApiError("object_not_found", `Could not find ${kind} with ID: ${id}. ${advice}`);
}

/** The error for an invalid value. `path` is where the value is: `body.filter.and[0]`. */
export function invalid(path: string, rule: string, value: unknown): ApiError {
  const [part = "body"] = path.split(".", 1);
  const shown = value === undefined ? "`undefined`" : `\`${JSON.stringify(value)}\``;
  return new ApiError(
    "validation_error",
    `${part} failed validation: ${path} should be ${rule}, instead was ${shown}.`,
  );
}

/** Converts any error to one of the API. Internal errors carry no details. */
export function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  const { statusCode, code } = isRecord(error) ? error : {};
  if (
    error instanceof SyntaxError ||
    code === "FST_ERR_CTP_INVALID_JSON_BODY" ||
    code === "FST_ERR_CTP_EMPTY_JSON_BODY"
  ) {
    return new ApiError("invalid_json", "Error parsing JSON body.");
  }
  const isInternal = typeof statusCode !== "number" || statusCode >= 500;
  if (isInternal) return new ApiError("internal_server_error", "Unexpected error occurred.");
  return new ApiError("invalid_request", error instanceof Error ? error.message : "Invalid request.");
}
