import type { JsonObject } from "../notion/object-json.ts";
import { isRecord } from "../workspace/front-matter.ts";

/** Codes and statuses of the API's errors (https://developers.notion.com/reference/status-codes). */
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

/** A code of the API's errors. */
export type ApiErrorCode = keyof typeof statuses;

interface Details {
  readonly headers?: Readonly<Record<string, string>>;
  readonly additionalData?: JsonObject;
}

/** A call that is answered with an error in the API's shape. */
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

  /** The body of the answer. */
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

/** The answer for what is not there, and for what was not shared alike. */
export function notFound(
  kind: "page" | "block" | "database" | "data source" | "user" | "property",
  id: string,
): ApiError {
  const advice = "Make sure the relevant pages and databases are shared with your integration.";
  return new ApiError("object_not_found", `Could not find ${kind} with ID: ${id}. ${advice}`);
}

/** The answer to a value that cannot be what it is meant to be. */
export function invalid(place: string, rule: string, value: unknown): ApiError {
  const [part = "body"] = place.split(".", 1);
  const shown = value === undefined ? "`undefined`" : `\`${JSON.stringify(value)}\``;
  return new ApiError(
    "validation_error",
    `${part} failed validation: ${place} should be ${rule}, instead was ${shown}.`,
  );
}

/** What went wrong, in the API's terms. Of faults of the stand-in itself nothing is told. */
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
  const ours = typeof statusCode !== "number" || statusCode >= 500;
  if (ours) return new ApiError("internal_server_error", "Unexpected error occurred.");
  return new ApiError("invalid_request", error instanceof Error ? error.message : "Invalid request.");
}
