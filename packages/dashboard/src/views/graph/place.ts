import type { SearchResults } from "@clew/client";

/** A page of a list that was asked for with `breadcrumb`. */
export type Placed = Pick<SearchResults["items"][number], "node" | "breadcrumb" | "breadcrumb_truncated">;

/** Longer breadcrumbs are shown without their middle. */
const mostLevels = 4;

/** The pages above a page that one line shows, root first; null stands for those that it leaves out. */
export function shortBreadcrumb({ breadcrumb = [], breadcrumb_truncated: isCut = false }: Placed) {
  const nearest = breadcrumb.slice(-2);
  if (isCut) return [null, ...nearest];
  return breadcrumb.length <= mostLevels ? breadcrumb : [...breadcrumb.slice(0, 1), null, ...nearest];
}
