import type { NodeType } from "@clew/contract";
import type { NodeId } from "@clew/graph";
import type { Dialect } from "../dialect.ts";
import { blockOfUrl, pageOfUrl } from "../page-url.ts";
import type { Tag } from "./tag.ts";

/** What the provider left out where it wrote `<unknown url="…" alt="…"/>`: a block, or a page or database. */
export type Unknown =
  | { readonly kind: "block"; readonly id: string }
  | { readonly kind: "child"; readonly id: NodeId; readonly type: NodeType };

const childTypes: ReadonlyMap<string, NodeType> = new Map([
  ["page", "page"],
  ["child_page", "page"],
  ["database", "database"],
  ["child_database", "database"],
  ["collection_view", "database"],
  ["collection_view_page", "database"],
]);

/** Reads an `<unknown/>` tag: its address names a block of the page by its fragment, anything else by its path. */
export function unknownOf({ name, attributes }: Tag, dialect: Dialect): Unknown | null {
  if (name !== "unknown") return null;
  const address = attributes.get("url") ?? "";
  const block = blockOfUrl(address, dialect);
  if (block !== null) return { kind: "block", id: block };
  const id = pageOfUrl(address, dialect);
  const type = childTypes.get(attributes.get("alt") ?? "");
  if (id === null) return null;
  return type === undefined ? { kind: "block", id } : { kind: "child", id, type };
}
