import type { SearchSort } from "@clew/contract";

/*
 * The first requests of the application. This file does not import the client: the first module of the page has to be small.
 */

/** The parameters with which the start of the graph lists the most important pages, and what changed. */
export const importantPages = { sort: "importance" satisfies SearchSort, limit: 8 } as const;
export const recentChanges = { since: "90d", limit: 8 } as const;

/**
 * The first requests at an address of the dashboard, below `api/`: who is signed in, and what the view there shows. `appRequest` is
 * the id of the app's request that it is about; null if it is about none.
 */
export function earlyRequests(
  { pathname, search }: Pick<URL, "pathname" | "search">,
  dashboard: URL,
  appRequest: string | null,
): string[] {
  if (appRequest !== null) return ["auth/me/", `apps/requests/${encodeURIComponent(appRequest)}/`];
  const common = ["auth/me/", "provider-graph/workspaces/"];
  const isAt = (view: string) => withoutSlash(pathname) === withoutSlash(new URL(view, dashboard).pathname);
  if (!["./", "graph"].some(isAt)) return common;
  return [
    ...common,
    `provider-graph/search/?${queryOf(importantPages)}`,
    // Results of a search stand in place of the changes and the path.
    ...(search === ""
      ? [`provider-graph/recent/?${queryOf(recentChanges)}`, "provider-graph/paths/proposed/"]
      : []),
  ];
}

const withoutSlash = (path: string): string => path.replace(/\/$/, "");

const queryOf = (parameters: Readonly<Record<string, string | number>>): string =>
  new URLSearchParams(Object.entries(parameters).map(([name, value]) => [name, String(value)])).toString();
