import type { activityLimits, Scope, ToolName, tokenLimits } from "@clew/contract";

// The contract's own module would bring its schemas into the bundle. These values are checked against it by their types and a
// test.

export const usableTokens: (typeof tokenLimits)["usablePerUser"] = 10;
export const maxNameLength: (typeof tokenLimits)["nameLength"] = 100;
export const maxDays: (typeof tokenLimits)["expiresInDays"] = 3650;

/** More pages of a token are not counted. */
export const countedPages: (typeof activityLimits)["pages"] = 10_000;

export const scopeNames: readonly Scope[] = ["graph:search", "graph:read", "graph:neighbors"];

/** The scopes that each tool needs, without the tools that only some agents are shown. */
const toolScopes: Partial<Readonly<Record<ToolName, readonly Scope[]>>> = {
  search_pages: ["graph:search"],
  read_page: ["graph:read"],
  build_context: ["graph:search", "graph:read", "graph:neighbors"],
  list_links: ["graph:neighbors"],
  find_related: ["graph:neighbors"],
  find_paths: ["graph:neighbors"],
  query_database: ["graph:read"],
  recent_changes: ["graph:search", "graph:read"],
  workspace_overview: [],
};

/** The tools that a token with these scopes can call. */
export function toolsOf(scopes: readonly Scope[]): string[] {
  return Object.entries(toolScopes)
    .filter(([, needed]) => needed.every((scope) => scopes.includes(scope)))
    .map(([name]) => name);
}
