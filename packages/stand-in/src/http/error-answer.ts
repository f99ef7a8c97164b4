import { isRecord } from "../workspace/front-matter.ts";
import { ApiError } from "./api-error.ts";

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
