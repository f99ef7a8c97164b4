import type { NodeType } from "@clew/contract";
import { type ListedNode, ProviderError, type WorkspaceReader } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listedNode, parentOf } from "./listed-node.ts";
import { rows, search } from "./listings.ts";
import { pageText } from "./page-text.ts";
import { wholeProperty } from "./property.ts";

/** Reads what a grant gives access to. */
export function createReader(api: NotionApi): WorkspaceReader {
  const node = async (
    type: NodeType,
    signal: AbortSignal,
    work: Parameters<NotionApi["call"]>[1],
  ): Promise<ListedNode> => {
    const read = listedNode(await api.call(signal, work), api.dialect);
    if (read.type === type) return read;
    throw new ProviderError("nonsense", `failed to read the provider's answer: it is no ${type}`);
  };
  return {
    search: (signal) => search(api, signal),
    rows: (dataSourceId, editedSince, signal) => rows(api, dataSourceId, editedSince, signal),
    page: (id, signal) => node("page", signal, ({ pages }) => pages.retrieve({ page_id: id })),
    database: (id, signal) =>
      node("database", signal, ({ databases }) => databases.retrieve({ database_id: id })),
    databaseOf: (dataSourceId, signal) =>
      node("database", signal, ({ dataSources }) => dataSources.retrieve({ data_source_id: dataSourceId })),
    blockParent: async (blockId, signal) =>
      parentOf(await api.call(signal, ({ blocks }) => blocks.retrieve({ block_id: blockId }))),
    property: (pageId, property, signal) => wholeProperty(api, pageId, property, signal),
    time: () => api.time(),
    async content(pageId, signal) {
      const text = await pageText(api, pageId, signal);
      const { length } = text.markdown;
      const parsed = await api.texts.parse("content", text.markdown, {
        length,
        dialect: api.dialect,
        signal,
      });
      return { ...text, ...parsed };
    },
  };
}
