import type { ListEntry, ListedNode } from "../../port.ts";

/** The nodes of a list of which every entry can be read; throws at another. */
export async function* listedNodes(list: AsyncIterable<ListEntry>): AsyncGenerator<ListedNode> {
  for await (const entry of list) {
    if (entry.type === "unreadable" || entry.type === "unsupported")
      throw new Error(`An entry is ${entry.type}`);
    yield entry;
  }
}
