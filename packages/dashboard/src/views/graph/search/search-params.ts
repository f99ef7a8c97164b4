import type { NodeTrait, NodeType, SearchSort } from "@clew/contract";
import { choiceParam, textParam, withoutUndefined } from "../../../url-params.ts";

/** The parameters in the URL of the search. */
export interface GraphSearch {
  readonly q?: string;
  readonly workspace?: string;
  readonly type?: NodeType;
  readonly under?: string;
  /** A span, or `stale`. */
  readonly updated?: UpdatedFilter;
  /** The name of a person, or words of it: who made the page or edited it last. */
  readonly by?: string;
  /** Traits, separated by commas. */
  readonly is?: string;
  readonly sort?: SearchSort;
}

// As in the contract, whose schemas would weigh too much here; a test compares them.
const nodeTypes = ["page", "database", "tag"] as const satisfies readonly NodeType[];
const nodeTraits = [
  "orphan",
  "unreferenced",
  "dead_end",
  "broken",
  "empty",
  "failed",
  "row",
  "archived",
  "verified",
  "expired",
] as const satisfies readonly NodeTrait[];
export const searchSorts = [
  "relevance",
  "updated",
  "created",
  "title",
  "degree",
  "importance",
] as const satisfies readonly SearchSort[];
export const updatedFilters = ["7d", "30d", "365d", "stale"] as const;
type UpdatedFilter = (typeof updatedFilters)[number];

/** The longest name that the API looks for. */
export const maxPersonQuery = 200;

/** The time without an edit after which a page is stale. */
const staleSpan = "180d";

/** Reads the URL's parameters; invalid ones are left out. */
export function readGraphSearch(raw: Readonly<Record<string, unknown>>): GraphSearch {
  const text = (name: string) => textParam(raw, name);
  const traits = traitsOf({ is: text("is") }).join(",");
  return withoutUndefined({
    q: text("q"),
    workspace: text("workspace"),
    type: choiceParam(raw, "type", nodeTypes),
    under: text("under"),
    updated: choiceParam(raw, "updated", updatedFilters),
    by: text("by"),
    is: traits === "" ? undefined : traits,
    sort: choiceParam(raw, "sort", searchSorts),
  });
}

/** The traits that are asked for. */
export function traitsOf({ is = "" }: { readonly is?: string | undefined }): readonly string[] {
  const known: readonly string[] = nodeTraits;
  return is.split(",").filter((trait) => known.includes(trait.replace(/^-/, "")));
}

/** Whether anything but words narrows the search. */
export const isFiltered = ({ q: _q, sort: _sort, ...filters }: GraphSearch): boolean =>
  Object.keys(filters).length > 0;

/** The parameters of `search/` and `text/`. */
export function queryOf({ q, workspace, type, under, updated, by, is, sort }: GraphSearch) {
  const isStale = updated === "stale";
  // Without words there is no relevance; the stalest page comes first.
  const wanted = sort === "relevance" && q === undefined ? undefined : sort;
  return withoutUndefined({
    q: q?.trim(),
    workspace_id: workspace,
    type,
    under,
    updated_after: isStale ? undefined : updated,
    updated_before: isStale ? staleSpan : undefined,
    by: by?.trim().slice(0, maxPersonQuery),
    is,
    sort: wanted ?? (isStale && q === undefined ? "updated" : undefined),
    order: isStale && q === undefined && (wanted ?? "updated") === "updated" ? ("asc" as const) : undefined,
  });
}

/** The arguments of the tool that finds the same. */
export function toolArgsOf(search: GraphSearch): Readonly<Record<string, unknown>> {
  const { q, workspace_id, is: _is, ...filters } = queryOf(search);
  const traits = traitsOf(search);
  return withoutUndefined({
    query: q,
    workspace: workspace_id,
    ...filters,
    is: traits.length === 0 ? undefined : traits,
  });
}
