import { type Edge, type EdgeType, linkKinds } from "@clew/contract";
import { oneLine } from "../../operations/page-names.ts";

/** The name that people give to an edge: its kind, or the property of a relation. */
export function kindName({ type, name }: Pick<Edge, "type" | "name">): string {
  if (type === "child") return "subpage";
  return type === "relation" && name !== null ? `relation ${JSON.stringify(oneLine(name, 12))}` : type;
}

/** The types of edges that tools call by these names; undefined for all. */
export function edgeTypesOf(kinds: readonly (keyof typeof linkKinds)[] | undefined): EdgeType[] | undefined {
  return kinds === undefined || kinds.length === 0 ? undefined : kinds.map((kind) => linkKinds[kind]);
}

/** An edge as seen from a page: `→ link ×2` leads from it, `← link ×2` to it. */
export function edgeFrom(pageId: string, edge: Pick<Edge, "from" | "type" | "name" | "count">): string {
  const times = edge.count > 1 ? ` ×${edge.count}` : "";
  return `${edge.from === pageId ? "→" : "←"} ${kindName(edge)}${times}`;
}

const excerptTokens = 60;

/** The first sentence around one of the edges: what people wrote there. */
export function excerptOf(edges: readonly Pick<Edge, "excerpts">[]): string {
  const [first] = edges.flatMap(({ excerpts = [] }) => excerpts);
  return first === undefined ? "" : ` · “${oneLine(first.text, excerptTokens)}”`;
}
