import { ProviderError } from "../port.ts";
import { optionalObject, requiredBoolean, requiredList, requiredText, UnreadableError } from "./json.ts";

/** Entries per answer, the most that the provider allows. https://developers.notion.com/reference/pagination */
export const pageSize = 100;

/** The parameter for the next answer; empty for the first. */
export interface Cursor {
  readonly start_cursor?: string;
}

/** One answer of a list. */
export interface ListAnswer {
  readonly results: readonly unknown[];
  readonly json: unknown;
}

/**
 * The answers of a list, first to last. If a cursor has expired, the list starts again, once, and entries come twice. If
 * `isSingle`, an answer is taken as the only one and not as a list. Throws `ProviderError` `malformed` if the list is
 * endless, and `UnreadableError` if an answer is no list, or, after its entries, if it does not say whether there is more.
 */
export async function* answersOf(
  ask: (cursor: Cursor) => Promise<unknown>,
  isSingle: (json: unknown) => boolean = () => false,
): AsyncGenerator<ListAnswer> {
  const followed = new Set<string>();
  let mayRestart = true;
  for (let cursor: Cursor = {}; ; ) {
    let json: unknown;
    try {
      json = await ask(cursor);
    } catch (error) {
      // The cursor is all that distinguishes this request from the one before.
      const isExpired =
        cursor.start_cursor !== undefined && error instanceof ProviderError && error.code === "invalid";
      if (!isExpired || !mayRestart) throw error;
      mayRestart = false;
      followed.clear();
      cursor = {};
      continue;
    }
    if (isSingle(json)) return yield { results: [], json };
    yield { results: requiredList(json, "results"), json };
    if (!requiredBoolean(json, "has_more")) return;
    const next = requiredText(json, "next_cursor");
    if (next === "") throw new UnreadableError("a cursor", ["next_cursor"]);
    if (followed.has(next))
      throw new ProviderError("malformed", "failed to list all entries: the provider repeats a cursor");
    followed.add(next);
    cursor = { start_cursor: next };
  }
}

/** Whether the list ends with this answer although there is more. Throws `UnreadableError`. */
export function isCutOff(json: unknown): boolean {
  if (optionalObject(json, "request_status") === null) return false;
  return requiredText(json, "request_status", "type") !== "complete";
}
