import type { SearchEntry } from "../port.ts";
import type { NotionApi } from "./api.ts";
import { listEntries } from "./list-entries.ts";
import { answersOf, isCutOff, pageSize } from "./listing.ts";

/** Everything that the provider's search lists. https://developers.notion.com/reference/post-search */
export async function* search(api: NotionApi, signal: AbortSignal): AsyncGenerator<SearchEntry> {
  const answers = answersOf((cursor) =>
    api.call(signal, (client) =>
      client.search({
        page_size: pageSize,
        sort: { timestamp: "last_edited_time", direction: "descending" },
        ...cursor,
      }),
    ),
  );
  let isCut = false;
  const results = async function* () {
    for await (const answer of answers) {
      yield* answer.results;
      isCut ||= isCutOff(answer.json);
    }
  };
  yield* listEntries(results(), api.dialect);
  if (isCut) yield { type: "cut" };
}
