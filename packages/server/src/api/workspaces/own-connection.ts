import { Type } from "typebox";
import { ApiError } from "../../model/api-error.ts";
import type { SessionCaller } from "../../model/caller.ts";
import type { Connection } from "../../model/connection.ts";

/** The path parameter of routes of one workspace. */
export const WorkspacePath = Type.Object({
  id: Type.String({ description: "The provider's id of the workspace, as listed by `workspaces/`" }),
});

/**
 * The caller's connection to a workspace, which may have a withdrawn grant. Throws `ApiError` `not_found` for a
 * workspace that the caller is not connected to or may not use (SIGN-10), whether it exists or not (GRAPH-10).
 */
export function ownConnection({ connections }: SessionCaller, workspaceId: string): Connection {
  const connection = connections.find((each) => each.workspaceId === workspaceId);
  if (!connection) throw notConnected();
  return connection;
}

export function notConnected(): ApiError {
  return new ApiError("not_found", "The caller is not connected to this workspace.");
}
