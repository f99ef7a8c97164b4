import { type Fault, tokenLimits } from "@clew/contract";

/**
 * What is wrong with the workspaces of a new token, beyond their shape: too many different ones, or one that
 * its owner is not connected to (TOK-3). Doubles count once, at their first place.
 */
export function workspaceFaults(ids: readonly unknown[], connected: ReadonlySet<string>): Fault[] {
  const different = new Set(ids);
  if (different.size > tokenLimits.workspaces) {
    return [{ path: "/workspace_ids", message: `must name up to ${tokenLimits.workspaces} workspaces` }];
  }
  return [...different]
    .filter((id) => typeof id === "string" && !connected.has(id))
    .map((id) => ({
      path: `/workspace_ids/${ids.indexOf(id)}`,
      message: "is not a workspace that you are connected to",
    }));
}
