import type { NodeType, ToolName } from "@clew/contract";
import { type LinkKind, linkKinds, referenceKinds, referenceTypes } from "../../../api/link-kinds.ts";
import type { Query } from "../../../ui/call-text.ts";
import { kindsOf, type PageSearch } from "./page-params.ts";

/** A part of a page's view that an agent or a script gets with one call. */
export interface PageCall {
  readonly part: "text" | "rows" | "backlinks" | "links" | "related" | "picture";
  /** The path below `/api/v1/`. */
  readonly path: string;
  readonly query?: Query;
  readonly tool: ToolName;
  readonly args: Readonly<Record<string, unknown>>;
}

/** The calls that return what a view of a page shows, with the depth, the kinds and the conditions of its URL. */
export function callsOf(
  { id, type }: { readonly id: string; readonly type: NodeType },
  search: PageSearch,
): readonly PageCall[] {
  if (search.view === "graph") return [pictureCall(id, search)];
  const links = (part: "backlinks" | "links", direction: "in" | "out"): PageCall => ({
    part,
    path: `nodes/${id}/neighbors/`,
    query: { direction, edge_type: referenceTypes, excerpts: true },
    tool: "list_links",
    args: { page: id, direction, kinds: referenceKinds, excerpts: true },
  });
  return [
    type === "database" ? rowsCall(id, search) : textCall(id),
    links("backlinks", "in"),
    links("links", "out"),
    { part: "related", path: `nodes/${id}/related/`, tool: "find_related", args: { page: id } },
  ];
}

const textCall = (id: string): PageCall => ({
  part: "text",
  path: `nodes/${id}/content/`,
  tool: "read_page",
  args: { page: [id] },
});

function rowsCall(id: string, { where = [], sort, order }: PageSearch): PageCall {
  const sorting = { ...(sort === undefined ? {} : { sort }), ...(order === undefined ? {} : { order }) };
  return {
    part: "rows",
    path: `nodes/${id}/rows/`,
    query: { where, ...sorting },
    tool: "query_database",
    args: { database: id, ...(where.length === 0 ? {} : { where }), ...sorting },
  };
}

/** The local graph: the pages around one, as many steps away and by such links as the picture shows. */
function pictureCall(id: string, search: PageSearch): PageCall {
  const { depth = 1 } = search;
  const kinds = kindsOf(search);
  const isAll = kinds.length === linkKinds.length;
  return {
    part: "picture",
    path: `nodes/${id}/neighbors/`,
    query: { depth, ...(isAll ? {} : { edge_type: kinds.join(",") }) },
    tool: "list_links",
    args: { page: id, depth, ...(isAll ? {} : { kinds: kinds.map(nameOfKind) }) },
  };
}

/** The name of a kind for agents. */
const nameOfKind = (kind: LinkKind): string => (kind === "child" ? "subpage" : kind);
