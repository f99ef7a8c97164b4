import { graphLimits } from "@clew/contract";
import { Refusal } from "../../model/refusal.ts";

/** What to search for, trimmed. Throws `Refusal` `invalid_request` unless it has 1–200 code points (GRAPH-2). */
export function readQuery(text: string): string {
  const query = text.trim();
  const length = [...query].length;
  if (length >= 1 && length <= graphLimits.queryLength) return query;
  throw new Refusal("invalid_request", "There is nothing to search for, or too much.", {
    faults: [{ path: "?q", message: `must have 1–${graphLimits.queryLength} characters after trimming` }],
  });
}
