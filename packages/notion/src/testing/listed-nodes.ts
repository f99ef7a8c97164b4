import type { ListedNode, SearchEntry } from "@clew/provider";

/** The nodes of a list. Throws if an entry cannot be read. */
export async function* listedNodes(list: AsyncIterable<SearchEntry>): AsyncGenerator<ListedNode> {
  for await (const entry of list) {
    if (entry.type === "unreadable" || entry.type === "unsupported" || entry.type === "cut")
      throw new Error(`An entry is ${entry.type}`);
    yield entry;
  }
}
