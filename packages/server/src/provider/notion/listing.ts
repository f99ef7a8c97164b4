import { ProviderError } from "../error.ts";
import { isTrueAt, textAt } from "./json.ts";

/** Entries that a list gives at a time, the most it does. https://developers.notion.com/reference/pagination */
export const pageSize = 100;

/** Where an answer begins: nothing of it for the first. */
export interface Cursor {
  readonly start_cursor?: string;
}

/**
 * The answers that together hold a list, from the first to the last. `ask` gets the cursor of the answer to ask for. A
 * cursor that the provider does not know any more begins the list again, once: entries may then come twice. Throws
 * `ProviderError` `nonsense` where the list never ends.
 */
export async function* answersOf(ask: (cursor: Cursor) => Promise<unknown>): AsyncGenerator<unknown> {
  const followed = new Set<string>();
  let mayBeginAgain = true;
  for (let cursor: Cursor = {}; ; ) {
    let answer: unknown;
    try {
      answer = await ask(cursor);
    } catch (error) {
      if (!mayBeginAgain || !isExpired(cursor, error)) throw error;
      mayBeginAgain = false;
      followed.clear();
      cursor = {};
      continue;
    }
    yield answer;
    const next = textAt(answer, "next_cursor");
    if (next === null || !isTrueAt(answer, "has_more")) return;
    if (followed.has(next)) throw new ProviderError("nonsense", "The provider's list goes round in circles");
    followed.add(next);
    cursor = { start_cursor: next };
  }
}

/** Whether the cursor is what the provider calls faulty: it is the one thing that the question before had not. */
function isExpired({ start_cursor }: Cursor, error: unknown): boolean {
  return start_cursor !== undefined && error instanceof ProviderError && error.code === "invalid";
}
