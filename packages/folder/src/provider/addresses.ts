import { type NodeId, parseNodeId } from "@clew/graph";
import type { TextAddresses } from "@clew/provider-text";
import type { Addresses } from "../document/write-markdown.ts";

/*
 * The addresses of a folder's pages in its texts: `/<32 hex digits>`, which opens a page of the same workspace. A fragment
 * names a place in the page.
 */

const pattern = /^\/([0-9a-f]{32})(?:#(.*))?$/s;

const bare = (id: string) => id.replaceAll("-", "");

/** Writes the addresses of pages and blocks. */
export const writtenAddresses: Addresses = {
  ofId: (id) => `/${bare(id)}`,
  ofBlock: (pageId, blockId) => `/${bare(pageId)}#${bare(blockId)}`,
};

/** The page or database that an address in a text opens; null for any other address. */
export function pageOfAddress(address: string): NodeId | null {
  return parseNodeId(pattern.exec(address)?.[1] ?? "");
}

/** Reads the addresses of pages and blocks. */
export const readAddresses: TextAddresses = {
  pageOf: pageOfAddress,
  blockOf: (address) => parseNodeId(pattern.exec(address)?.[2] ?? ""),
  isUpload: () => false,
};
