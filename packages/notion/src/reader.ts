import type { NodeType } from "@clew/contract";
import { type ListedNode, ProviderError, type WorkspaceReader } from "@clew/provider";
import { createTextReader } from "@clew/provider-text";
import type { NotionApi } from "./api.ts";
import { author, authors } from "./authors.ts";
import { listedNode, missingFacts, parentOf } from "./listed-node.ts";
import { rows, search, trashed } from "./listings.ts";
import { pageText } from "./page-text.ts";
import { wholeProperty } from "./property.ts";

/** Reads what a grant gives access to. */
export function createReader(api: NotionApi): WorkspaceReader {
  const node = async (type: NodeType, work: Parameters<NotionApi["call"]>[0]): Promise<ListedNode> => {
    const read = listedNode(await api.call(work), api.dialect);
    if (read.type === type) return read;
    throw new ProviderError("malformed", `failed to read the provider's answer: it is no ${type}`);
  };
  return {
    search: (options) => search(api, options),
    trashed: () => trashed(api),
    rows: (collectionId, editedSince) => rows(api, collectionId, editedSince),
    page: (id) => node("page", ({ pages }) => pages.retrieve({ page_id: id })),
    database: (id) => node("database", ({ databases }) => databases.retrieve({ database_id: id })),
    databaseOf: (collectionId) =>
      node("database", ({ dataSources }) => dataSources.retrieve({ data_source_id: collectionId })),
    missingFacts,
    parentOfBlock: async (blockId) =>
      parentOf(await api.call(({ blocks }) => blocks.retrieve({ block_id: blockId }))),
    property: (pageId, property) => wholeProperty(api, pageId, property),
    authors: () => authors(api),
    author: (id) => author(api, id),
    roundsEditTimes: true,
    time: api.time,
    content: (pageId) => pageText(api, pageId),
    texts: createTextReader(api.texts, api.dialect, api.signal),
  };
}
