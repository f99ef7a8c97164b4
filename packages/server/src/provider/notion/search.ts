import type { ListEntry } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listEntries } from "./list-entries.ts";
import { answersOf, type ListAnswer, pageSize } from "./listing.ts";

/** Everything that the provider's search lists. https://developers.notion.com/reference/post-search */
export async function* search(api: NotionApi, signal: AbortSignal): AsyncGenerator<ListEntry> {
  const answers = answersOf((cursor) =>
    api.call(signal, (client) =>
      client.search({
        page_size: pageSize,
        sort: { timestamp: "last_edited_time", direction: "descending" },
        ...cursor,
      }),
    ),
  );
  yield* listEntries(resultsOf(answers), api.dialect);
}

async function* resultsOf(answers: AsyncIterable<ListAnswer>): AsyncGenerator<unknown> {
  for await (const { results } of answers) yield* results;
}
