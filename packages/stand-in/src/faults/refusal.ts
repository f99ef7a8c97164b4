import { ApiError } from "../http/api-error.ts";
import type { Fault } from "./rule.ts";

/** The error that a fault is answered with; null where the request is answered all the same. `now` is the provider's. */
export function refusalOf(fault: Fault, cursor: string | null, now: number): ApiError | null {
  switch (fault.kind) {
    case "error":
      return errorOf(fault, now);
    case "cursor_expired":
      return new ApiError(
        "validation_error",
        `The start_cursor provided is invalid: ${cursor?.slice(0, 100)}`,
      );
    case "withdrawn":
      return new ApiError("unauthorized", "API token is invalid.");
    default:
      return null;
  }
}

const messages: Readonly<Record<string, string>> = {
  object_not_found: "Could not find the object. Make sure that it is shared with your integration.",
  rate_limited: "You have been rate limited. Please try again in a few minutes.",
  service_overload: "Notion is overloaded. Please try again later.",
  unauthorized: "API token is invalid.",
};

function errorOf(fault: Fault & { kind: "error" }, now: number): ApiError {
  const { code, retryAfter, asDate = false } = fault;
  const after = asDate ? new Date(now + (retryAfter ?? 0) * 1000).toUTCString() : String(retryAfter);
  const limited = code === "rate_limited" || code === "service_overload";
  return new ApiError(code, fault.message ?? messages[code] ?? "Unexpected error occurred.", {
    ...(retryAfter === undefined ? {} : { headers: { "retry-after": after } }),
    ...(limited ? { additionalData: { rate_limit_reason: "requests_per_minute" } } : {}),
  });
}
