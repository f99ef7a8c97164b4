import { ProviderError } from "../port.ts";
import { optionalObject, requiredBoolean, requiredList, requiredText, UnreadableError } from "./json.ts";

/** Entries that a list gives at a time, the most it does. https://developers.notion.com/reference/pagination */
export const pageSize = 100;

/** Where an answer begins: nothing of it for the first. */
export interface Cursor {
  readonly start_cursor?: string;
}

/** One of the answers that together hold a list, or what came whole in place of one. */
export interface ListAnswer {
  readonly results: readonly unknown[];
  /** The answer itself, for what else it says. */
  readonly json: unknown;
}

/**
 * The answers that together hold a list, from the first to the last. `ask` gets the cursor of the answer to ask for. A
 * cursor that the provider does not know any more begins the list again, once: entries may then come twice. `isWhole`
 * tells what may come in place of a list. Throws
 * `ProviderError` `nonsense` where the list never ends, and where an answer holds no list, or, after what it holds, does
 * not say how the list goes on.
 */
export async function* answersOf(
  ask: (cursor: Cursor) => Promise<unknown>,
  isWhole: (json: unknown) => boolean = () => false,
): AsyncGenerator<ListAnswer> {
  const followed = new Set<string>();
  let mayBeginAgain = true;
  for (let cursor: Cursor = {}; ; ) {
    let json: unknown;
    try {
      json = await ask(cursor);
    } catch (error) {
      if (!mayBeginAgain || !isExpired(cursor, error)) throw error;
      mayBeginAgain = false;
      followed.clear();
      cursor = {};
      continue;
    }
    if (isWhole(json)) return yield { results: [], json };
    yield { results: requiredList(json, "results"), json };
    if (!requiredBoolean(json, "has_more")) return;
    const next = requiredText(json, "next_cursor");
    if (next === "") throw new UnreadableError("a cursor", ["next_cursor"]);
    if (followed.has(next)) throw new ProviderError("nonsense", "The provider's list goes round in circles");
    followed.add(next);
    cursor = { start_cursor: next };
  }
}

/** Whether the cursor is what the provider calls faulty: it is the one thing that the question before had not. */
function isExpired({ start_cursor }: Cursor, error: unknown): boolean {
  return start_cursor !== undefined && error instanceof ProviderError && error.code === "invalid";
}

/**
 * Whether a list ends with an answer although there is more than the provider lists. Throws `UnreadableError` where that
 * cannot be told.
 */
export function isCutOff(json: unknown): boolean {
  if (optionalObject(json, "request_status") === null) return false;
  return requiredText(json, "request_status", "type") !== "complete";
}
