import { graphLimits } from "@clew/contract";
import { ApiError } from "../../model/api-error.ts";

/** What to search for, trimmed. Throws `ApiError` `invalid_request` unless it has 1–200 code points (GRAPH-2). */
export function readQuery(text: string): string {
  const query = text.trim();
  const length = [...query].length;
  if (length >= 1 && length <= graphLimits.queryLength) return query;
  throw new ApiError("invalid_request", "There is nothing to search for, or too much.", {
    faults: [{ path: "?q", message: `must have 1–${graphLimits.queryLength} characters after trimming` }],
  });
}
