import { ProviderError } from "../error.ts";
import { isTrueAt, textAt } from "./json.ts";

/** Entries that a list gives at a time, the most it does. https://developers.notion.com/reference/pagination */
export const pageSize = 100;

/**
 * The answers that together hold a list, from the first to the last. `ask` gets the cursor of the answer to ask for.
 * Throws `ProviderError` `nonsense` where the list never ends.
 */
export async function* answersOf(
  ask: (cursor: { start_cursor?: string }) => Promise<unknown>,
): AsyncGenerator<unknown> {
  const followed = new Set<string>();
  for (let cursor = {}; ; ) {
    const answer = await ask(cursor);
    yield answer;
    const next = textAt(answer, "next_cursor");
    if (next === null || !isTrueAt(answer, "has_more")) return;
    if (followed.has(next)) throw new ProviderError("nonsense", "The provider's list goes round in circles");
    followed.add(next);
    cursor = { start_cursor: next };
  }
}
