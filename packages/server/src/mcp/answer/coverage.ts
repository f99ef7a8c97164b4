import { type Connection, isUnderWay } from "../../model/connection.ts";
import { workspaceName } from "../../operations/page-names.ts";
import type { ToolCall } from "../tool-call.ts";

/** How much of the workspaces that an answer is about was read, as sentences about what was not found must say (AGT-2). */
export interface Coverage {
  /** Whether each of the workspaces was read completely at least once. */
  readonly isWhole: boolean;
  /** ` so far`, for counts; empty if the coverage is whole. */
  readonly soFar: string;
  /** Says that something is not there; if the coverage is not whole, `partly` so far, and why. `partly` has no full stop. */
  none(whole: string, partly: string): string;
}

/** The coverage of all readable workspaces, of one, or of those that have one of these pages. */
export function coverageOf(
  { graphs }: Pick<ToolCall, "graphs">,
  { ids, workspace }: { readonly ids?: readonly string[]; readonly workspace?: string | undefined } = {},
): Coverage {
  const partial = graphs.find(
    ({ connection, graph }) =>
      connection.completeAsOf === null &&
      (workspace === undefined || connection.workspaceId === workspace) &&
      (ids === undefined || ids.some((id) => graph.has(id))),
  )?.connection;
  if (partial === undefined) return { isWhole: true, soFar: "", none: (whole) => whole };
  const reason = reasonOf(partial, graphs.length > 1 ? ` of ${workspaceName(partial)}` : "");
  return {
    isWhole: false,
    soFar: " so far",
    none: (_, partly) => `${partly} so far: ${reason}.`,
  };
}

/** Why a workspace was never read completely. */
function reasonOf(connection: Connection, ofWhich: string): string {
  const { lastSyncedAt, sync } = connection;
  if (!isUnderWay(connection) || lastSyncedAt !== null) return `no sync${ofWhich} has been complete yet`;
  const progress = sync.total === null ? "" : ` (${sync.done} of ${sync.total})`;
  return `the first sync${ofWhich} is still running${progress}`;
}
