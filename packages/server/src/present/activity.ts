import type { ActivityCall } from "@clew/contract";
import type { TokenCall } from "../model/activity.ts";
import { formatTimestamp } from "./values.ts";

/** A call for the token's owner (APP-9). */
export function presentCall({ at, nodeIds, ...call }: TokenCall): ActivityCall {
  return { at: formatTimestamp(at), ...call, node_ids: [...nodeIds] };
}
