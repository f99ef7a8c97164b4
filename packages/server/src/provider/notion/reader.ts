import type { NodeType } from "@clew/contract";
import { type ListedNode, ProviderError, type WorkspaceReader } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listedNode, parentOf } from "./listed-node.ts";
import { rows, search } from "./listings.ts";
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
    search: () => search(api),
    rows: (dataSourceId, editedSince) => rows(api, dataSourceId, editedSince),
    page: (id) => node("page", ({ pages }) => pages.retrieve({ page_id: id })),
    database: (id) => node("database", ({ databases }) => databases.retrieve({ database_id: id })),
    databaseOf: (dataSourceId) =>
      node("database", ({ dataSources }) => dataSources.retrieve({ data_source_id: dataSourceId })),
    blockParent: async (blockId) =>
      parentOf(await api.call(({ blocks }) => blocks.retrieve({ block_id: blockId }))),
    property: (pageId, property) => wholeProperty(api, pageId, property),
    time: api.time,
    content: (pageId) => pageText(api, pageId),
    referencesIn: (markdown) => {
      const { texts, dialect, signal } = api;
      return texts.parse("references", markdown, { length: markdown.length, dialect, signal });
    },
    shownTitles: (markdown) => {
      const { texts, dialect, signal } = api;
      return texts.parse("shownTitles", markdown, { length: markdown.length, dialect, signal });
    },
    withTitles: (markdown, titles) => {
      const { texts, dialect, signal } = api;
      return texts.parse("retitled", { markdown, titles }, { length: markdown.length, dialect, signal });
    },
  };
}
