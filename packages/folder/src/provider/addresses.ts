import { type NodeId, parseNodeId } from "@clew/graph";

/*
 * The addresses of a folder's pages in its texts: `/<32 hex digits>`, which opens a page of the same workspace. A fragment
 * names a place in the page.
 */

const pattern = /^\/([0-9a-f]{32})(?:#(.*))?$/;

/** The address of a page or database in a text. */
export function addressOfPage(id: NodeId): string {
  return `/${id.replaceAll("-", "")}`;
}

/** The page or database that an address in a text opens; null for any other address. */
export function pageOfAddress(address: string): NodeId | null {
  return parseNodeId(pattern.exec(address)?.[1] ?? "");
}
