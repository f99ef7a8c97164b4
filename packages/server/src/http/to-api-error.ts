import type { ProblemCode } from "@clew/contract";
import { ApiError } from "../model/api-error.ts";
import { DatabaseUnavailableError } from "../model/database-unavailable.ts";
import { codeOf } from "../model/thrown.ts";
import { fieldErrorsOf } from "./validation.ts";

/** The problem for each error that Fastify throws before a handler runs, by its error code. */
const fastifyProblems: Readonly<Record<string, readonly [ProblemCode, string]>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: ["unsupported_media_type", "The content type must be application/json."],
  FST_ERR_CTP_BODY_TOO_LARGE: ["body_too_large", "The body may have up to 64 KiB."],
  FST_ERR_CTP_EMPTY_JSON_BODY: [
    "invalid_json",
    "The body is empty, although the content type is application/json.",
  ],
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: [
    "invalid_request",
    "The length of the body does not match Content-Length.",
  ],
  FST_ERR_BAD_URL: ["invalid_request", "The URL contains an invalid percent-encoding."],
  FST_ERR_HANDLER_TIMEOUT: ["unavailable", "The response took too long."],
  FST_ERR_MAX_PARAM_LENGTH: ["not_found", "This path does not exist."],
};

/**
 * Converts anything thrown while a request was handled into an `ApiError`. An error that is not recognised becomes
 * `internal`: its details go to the log, and the client learns none of them (ERR-4). `isUnavailable` says whether the
 * database threw because it cannot be used now; other threads say so by the error's class.
 */
export function toApiError(
  error: unknown,
  isUnavailable: (error: unknown) => boolean = () => false,
): ApiError {
  if (error instanceof ApiError) return error;
  const errors = fieldErrorsOf(error);
  if (errors)
    return new ApiError("invalid_request", "The request is invalid. See the list of errors.", {
      errors,
      cause: error,
    });
  const known = fastifyProblems[codeOf(error)];
  if (known) return new ApiError(known[0], known[1], { cause: error });
  if (error instanceof DatabaseUnavailableError || isUnavailable(error)) {
    return new ApiError("unavailable", "The database is not available.", {
      headers: { "retry-after": "5" },
      cause: error,
    });
  }
  return new ApiError("internal", "The request failed. See the server log for the cause.", { cause: error });
}
