import { ProviderError } from "../error.ts";
import type { ListedNode } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listAt, textAt } from "./json.ts";
import { listedNode } from "./listed-node.ts";
import { answersOf, pageSize } from "./listing.ts";

/**
 * All rows of a data source, in the order of their creation. One query gives 10 000 at most and then says that it
 * is incomplete: the next begins where that one ended.
 * https://developers.notion.com/reference/query-a-data-source
 */
export async function* rows(
  api: NotionApi,
  dataSourceId: string,
  signal: AbortSignal,
): AsyncGenerator<ListedNode> {
  const seen = new Set<string>();
  let since: string | null = null;
  for (;;) {
    let last: string | null = since;
    let complete = true;
    for await (const answer of query(api, dataSourceId, since, signal)) {
      complete &&= textAt(answer, "request_status", "type") !== "incomplete";
      for (const result of listAt(answer, "results")) {
        last = textAt(result, "created_time") ?? last;
        const node = listedNode(result);
        if (node === null || seen.has(node.id)) continue;
        seen.add(node.id);
        yield node;
      }
    }
    if (complete) return;
    if (last === since)
      throw new ProviderError("nonsense", "More rows were created in one minute than the provider lists");
    since = last;
  }
}

function query(api: NotionApi, dataSourceId: string, since: string | null, signal: AbortSignal) {
  return answersOf((cursor) =>
    api.call(signal, (client) =>
      client.dataSources.query({
        data_source_id: dataSourceId,
        page_size: pageSize,
        sorts: [{ timestamp: "created_time", direction: "ascending" }],
        ...(since === null
          ? {}
          : { filter: { timestamp: "created_time", created_time: { on_or_after: since } } }),
        ...cursor,
      }),
    ),
  );
}
