import { ProviderError } from "@clew/provider";
import { OversizedAnswerError } from "./http/retrying-fetch.ts";
import {
  optionalObject,
  requiredBoolean,
  requiredList,
  requiredText,
  textAt,
  UnreadableError,
} from "./json.ts";

/** The parameters for the next answer; without a cursor, for the first. */
export interface Paging {
  readonly page_size: number;
  readonly start_cursor?: string;
}

/** One answer of a list. */
export interface ListAnswer {
  readonly results: readonly unknown[];
  readonly json: unknown;
}

interface ListOptions {
  /** Whether an answer is the only one and not a list. */
  readonly isSingle?: (json: unknown) => boolean;
  /** The key that tells an entry of an answer from others; null if nothing does. By default its id. */
  readonly idOf?: (entry: unknown, json: unknown) => string | null;
}

/**
 * The answers of a list, first to last. If a cursor has expired, the list starts again, once, and entries come twice. An
 * answer that is too large is asked for in smaller ones. Throws `ProviderError` `malformed` if the list is endless,
 * `OversizedAnswerError` if one entry is too large, and `UnreadableError` if an answer is no list, or, after its entries,
 * if it does not say whether there is more.
 */
export async function* answersOf(
  ask: (paging: Paging) => Promise<unknown>,
  { isSingle = () => false, idOf = (entry) => textAt(entry, "id") ?? "" }: ListOptions = {},
): AsyncGenerator<ListAnswer> {
  const followed = new Set<string>();
  const size = new PageSize();
  let progress = new Progress();
  let mayRestart = true;
  for (let cursor: Pick<Paging, "start_cursor"> = {}; ; ) {
    let json: unknown;
    try {
      json = await size.fit((page_size) => ask({ page_size, ...cursor }));
    } catch (error) {
      // The cursor is all that distinguishes this request from the one before.
      const isExpired =
        cursor.start_cursor !== undefined && error instanceof ProviderError && error.code === "invalid";
      if (!isExpired || !mayRestart) throw error;
      mayRestart = false;
      followed.clear();
      progress = new Progress();
      cursor = {};
      continue;
    }
    if (isSingle(json)) return yield { results: [], json };
    const results = requiredList(json, "results");
    yield { results, json };
    if (!requiredBoolean(json, "has_more")) return;
    progress.add(results.map((entry) => idOf(entry, json)));
    const next = requiredText(json, "next_cursor");
    if (next === "") throw new UnreadableError("a cursor", ["next_cursor"]);
    if (followed.has(next))
      throw new ProviderError("malformed", "failed to list all entries: the provider repeats a cursor");
    followed.add(next);
    cursor = { start_cursor: next };
  }
}

/** Entries per answer, the most that the provider allows. https://developers.notion.com/reference/pagination */
const maxPageSize = 100;

/** Answers of a reduced size before a larger one is tried. */
const answersBeforeGrowth = 4;

/** The number of entries of a list to ask for: half as many after an answer that is too large, more again after others. */
class PageSize {
  #size = maxPageSize;
  #fitting = 0;

  /** Asks for fewer and fewer entries until the answer is not too large. */
  async fit(ask: (size: number) => Promise<unknown>): Promise<unknown> {
    for (;;) {
      try {
        const answer = await ask(this.#size);
        this.#fitting += 1;
        if (this.#fitting % answersBeforeGrowth === 0) this.#size = Math.min(2 * this.#size, maxPageSize);
        return answer;
      } catch (error) {
        if (!(error instanceof OversizedAnswerError) || this.#size === 1) throw error;
        this.#size = Math.floor(this.#size / 2);
        this.#fitting = 0;
      }
    }
  }
}

/** Consecutive answers without a new entry after which a list counts as endless. Searches repeat some entries. */
const maxIdleAnswers = 20;

/** Notices when a list goes on without anything new. */
class Progress {
  /** Hashes, because a list may have a million ids. */
  readonly #seen = new Set<number>();
  #idleAnswers = 0;

  /** Takes the ids of an answer's entries; null is always new. Throws `ProviderError` if too many answers had none that is. */
  add(ids: readonly (string | null)[]): void {
    const before = this.#seen.size;
    for (const id of ids) if (id !== null) this.#seen.add(hashOf(id));
    const hasNew = this.#seen.size > before || ids.includes(null);
    this.#idleAnswers = hasNew ? 0 : this.#idleAnswers + 1;
    if (this.#idleAnswers < maxIdleAnswers) return;
    throw new ProviderError(
      "malformed",
      `failed to list all entries: ${maxIdleAnswers} answers in a row had nothing new`,
    );
  }
}

/** The 32-bit FNV-1a hash of an id. */
function hashOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193);
  return hash;
}

/** Whether the list ends with this answer although there is more. Throws `UnreadableError`. */
export function isCutOff(json: unknown): boolean {
  if (optionalObject(json, "request_status") === null) return false;
  return requiredText(json, "request_status", "type") !== "complete";
}
