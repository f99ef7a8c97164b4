import type { NodeType } from "@clew/contract";
import { type ListedNode, ProviderError, type WorkspaceReader } from "../port.ts";
import type { NotionApi } from "./api.ts";
import type { Dialect } from "./dialect.ts";
import { listedNode } from "./listed-node.ts";
import { pageText } from "./page-text.ts";
import { parentOf } from "./parent.ts";
import { wholeProperty } from "./property.ts";
import { rows } from "./rows.ts";
import { search } from "./search.ts";

/** Reads what a grant opens. */
export function createReader(api: NotionApi): WorkspaceReader {
  return {
    search: (signal) => search(api, signal),

    rows: (dataSourceId, editedSince, signal) => rows(api, dataSourceId, editedSince, signal),

    page: async (id, signal) =>
      expected("page", api.dialect, await api.call(signal, ({ pages }) => pages.retrieve({ page_id: id }))),

    database: async (id, signal) =>
      expected(
        "database",
        api.dialect,
        await api.call(signal, ({ databases }) => databases.retrieve({ database_id: id })),
      ),

    databaseOf: async (dataSourceId, signal) =>
      expected(
        "database",
        api.dialect,
        await api.call(signal, ({ dataSources }) => dataSources.retrieve({ data_source_id: dataSourceId })),
      ),

    blockParent: async (blockId, signal) =>
      parentOf(await api.call(signal, ({ blocks }) => blocks.retrieve({ block_id: blockId }))),

    property: (pageId, property, signal) => wholeProperty(api, pageId, property, signal),

    time: () => api.time(),

    async content(pageId, signal) {
      const text = await pageText(api, pageId, signal);
      const { texts, dialect } = api;
      const parsed = await texts.parse("content", text.markdown, {
        length: text.markdown.length,
        dialect,
        signal,
      });
      return { ...text, ...parsed };
    },
  };
}

function expected(type: NodeType, dialect: Dialect, json: unknown): ListedNode {
  const node = listedNode(json, dialect);
  if (node.type === type) return node;
  throw new ProviderError("nonsense", `The provider's answer is no ${type}`);
}
