import type { ListedNode } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listAt } from "./json.ts";
import { listedNode } from "./listed-node.ts";
import { answersOf, pageSize } from "./listing.ts";

/** Everything that the provider's search lists. https://developers.notion.com/reference/post-search */
export async function* search(api: NotionApi, signal: AbortSignal): AsyncGenerator<ListedNode> {
  const answers = answersOf((cursor) =>
    api.call(signal, (client) =>
      client.search({
        page_size: pageSize,
        sort: { timestamp: "last_edited_time", direction: "descending" },
        ...cursor,
      }),
    ),
  );
  for await (const answer of answers) {
    for (const result of listAt(answer, "results")) {
      const node = listedNode(result, api.dialect);
      if (node !== null) yield node;
    }
  }
}
