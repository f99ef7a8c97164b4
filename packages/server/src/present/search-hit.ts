import type { SearchResults } from "@clew/contract";
import type { SearchHit } from "@clew/graph";
import type { ReadableGraph } from "../graph-cache/readable.ts";
import { presentNode } from "./node.ts";

/** A node that a search found, and how its title matched (GRAPH-2). */
export function presentSearchHit({
  source,
  node,
  score,
  match,
}: SearchHit & { readonly source: ReadableGraph }): SearchResults["items"][number] {
  return { node: presentNode(source, node), score, match };
}
