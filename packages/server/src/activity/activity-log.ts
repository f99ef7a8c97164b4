import { activityLimits } from "@clew/contract";
import { isRefusal, type TokenCall } from "../model/activity.ts";
import type { Clock } from "../model/runtime.ts";
import type { ServiceToken } from "../model/service-token.ts";
import type { Database } from "../store/port.ts";
import { type ActiveToken, addCalls, deleteActivity, type PendingCalls } from "../store/queries/activity.ts";
import { serviceTokensById } from "../store/queries/service-tokens.ts";
import { maskCredentials } from "./mask-credentials.ts";

/** A call as it is recorded: with all pages of its answer, of which some may come twice, and words as they were sent. */
export interface RecordedCall extends Omit<TokenCall, "nodeIds" | "pages"> {
  readonly tokenId: number;
  readonly pages: Iterable<string>;
}

/** Milliseconds between a call and the write that has it. */
const flushMs = 1_000;

/** A write that took long is followed by a pause of `pauseFactor` times its length: writing takes at most 1 % of the time. */
const pauseFactor = 100;
const longestPauseMs = 30_000;

/** Tokens and pages that may wait to be written: they limit memory while the database is away. */
const maxWaitingTokens = 10_000;
const maxWaitingPages = 100_000;

interface ActivityServices {
  readonly database: Pick<Database, "activity" | "read">;
  readonly clock: Clock;
  /** Milliseconds on a clock that is never set. */
  readonly monotonic: () => number;
  /** Reports a write that failed in the background. */
  readonly onError: (error: unknown) => void;
  /** The days for which calls are kept. */
  readonly days: number;
}

/**
 * The activity of the service tokens of one database: what they read (APP-9). Calls are collected in memory and written together, so that a request costs
 * no write; a process that is killed loses those that were not written.
 */
export class ActivityLog {
  readonly #services: ActivityServices;
  #waiting = new Map<number, WaitingCalls>();
  #waitingPages = 0;
  #timer: NodeJS.Timeout | null = null;
  #pauseMs = flushMs;
  #lastWrite: Promise<void> = Promise.resolve();

  constructor(services: ActivityServices) {
    this.#services = services;
  }

  /** The days for which calls are kept; 0 if none are. */
  get days(): number {
    return this.#services.days;
  }

  /** Records a call. */
  record(call: RecordedCall): void {
    if (this.#services.days === 0) return;
    const { tokenId } = call;
    let waiting = this.#waiting.get(tokenId);
    if (waiting === undefined) {
      if (this.#waiting.size >= maxWaitingTokens) return;
      waiting = new WaitingCalls();
      this.#waiting.set(tokenId, waiting);
    }
    this.#waitingPages += waiting.add(call, maxWaitingPages - this.#waitingPages);
    this.#timer ??= setTimeout(() => this.#flushLater(), this.#pauseMs).unref();
  }

  /** Writes the calls. Those that cannot be written are written the next time. */
  flush(): Promise<void> {
    this.#lastWrite = this.#lastWrite.then(
      () => this.#write(),
      () => this.#write(),
    );
    return this.#lastWrite;
  }

  /** Stops the timer and writes the rest. Failures go to `onError`. */
  async close(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.flush().catch(this.#services.onError);
  }

  #flushLater(): void {
    const { monotonic, onError } = this.#services;
    const begun = monotonic();
    this.flush().then(
      () => {
        this.#timer = null;
        this.#pauseMs = Math.min(longestPauseMs, Math.max(flushMs, pauseFactor * (monotonic() - begun)));
      },
      (error) => {
        onError(error);
        this.#pauseMs = longestPauseMs;
        // They wait already, so that no call would start the timer.
        this.#timer = setTimeout(() => this.#flushLater(), this.#pauseMs).unref();
      },
    );
  }

  async #write(): Promise<void> {
    if (this.#waiting.size === 0) return;
    const written = this.#waiting;
    this.#waiting = new Map();
    this.#waitingPages = 0;
    try {
      await this.#writeAll(written);
    } catch (error) {
      this.#keep(written);
      throw error;
    }
  }

  async #writeAll(written: ReadonlyMap<number, WaitingCalls>): Promise<void> {
    const { activity, read } = this.#services.database;
    const ids = new Set(written.keys());
    const tokens = await serviceTokensById(read, ids);
    // In the order of ids, so that no two instances wait for each other's rows.
    const batch = [...tokens.values()]
      .sort((one, other) => one.id - other.id)
      .flatMap((token) => {
        const calls = written.get(token.id)?.pending();
        return calls === undefined ? [] : [{ token: activeToken(token), calls }];
      });
    if (batch.length === 0) return;
    await activity.write(async (trx) => {
      for (const { token, calls } of batch) await addCalls(trx, token, calls);
    });
    // Of a token that was deleted meanwhile with its account nothing may stay.
    const left = await serviceTokensById(read, ids);
    const deleted = batch.map(({ token }) => token.id).filter((id) => !left.has(id));
    if (deleted.length > 0) await activity.write((trx) => deleteActivity(trx, deleted));
  }

  /** Puts calls back that could not be written, before those that came meanwhile. */
  #keep(written: ReadonlyMap<number, WaitingCalls>): void {
    for (const [id, calls] of written) {
      const later = this.#waiting.get(id);
      if (later !== undefined) calls.append(later);
      this.#waiting.set(id, calls);
    }
    this.#waitingPages = [...this.#waiting.values()].reduce((sum, { pageCount }) => sum + pageCount, 0);
  }
}

/** The facts by which a token's calls are known. */
export const activeToken = ({ id, userId, createdAt }: ServiceToken): ActiveToken => ({
  id,
  userId,
  createdAt,
});

const hourMs = 3_600_000;

interface HourCount {
  readonly hour: number;
  readonly operation: TokenCall["operation"];
  calls: number;
  refused: number;
}

/** The calls of one token that wait to be written. */
class WaitingCalls {
  readonly #counts = new Map<string, HourCount>();
  /** The one that counted last, which most often counts next. */
  #lastCount: HourCount | null = null;
  /** `serial` is that of the latest call that had it. */
  readonly #pages = new Map<string, { reads: number; at: number; serial: number }>();
  #serial = 0;
  #latest: TokenCall[] = [];

  get pageCount(): number {
    return this.#pages.size;
  }

  /** Adds a call, with at most `room` new pages. Returns how many it added. */
  add({ at, operation, words, pages, status, ms }: RecordedCall, room: number): number {
    this.#count(Math.floor(at / hourMs), operation, 1, isRefusal(status) ? 1 : 0);
    const before = this.#pages.size;
    const nodeIds: string[] = [];
    let count = 0;
    this.#serial += 1;
    for (const id of pages) {
      const page = this.#pages.get(id);
      // It came in this answer already.
      if (page?.serial === this.#serial) continue;
      if (page !== undefined) {
        page.reads += 1;
        page.at = at;
        page.serial = this.#serial;
      } else if (this.#pages.size - before < room)
        this.#pages.set(id, { reads: 1, at, serial: this.#serial });
      if (nodeIds.length < activityLimits.nodeIds) nodeIds.push(id);
      count += 1;
      if (count === activityLimits.pages) break;
    }
    this.#latest.push({ at, operation, words, nodeIds, pages: count, status, ms });
    this.#cutLatest();
    return this.#pages.size - before;
  }

  /** Adds the calls that came after these. */
  append(later: WaitingCalls): void {
    for (const { hour, operation, calls, refused } of later.#counts.values())
      this.#count(hour, operation, calls, refused);
    for (const [id, { reads, at }] of later.#pages) {
      const page = this.#pages.get(id);
      this.#pages.set(id, { reads: reads + (page?.reads ?? 0), at, serial: 0 });
    }
    this.#latest.push(...later.#latest);
    this.#cutLatest();
  }

  /** The calls as they are written. */
  pending(): PendingCalls {
    const latest = this.#latest.slice(-activityLimits.calls);
    return {
      counts: [...this.#counts.values()],
      pages: this.#pages,
      latest: latest.map((call) => ({ ...call, words: call.words === null ? null : keptWords(call.words) })),
    };
  }

  #count(hour: number, operation: TokenCall["operation"], calls: number, refused: number): void {
    let count = this.#lastCount;
    if (count?.hour !== hour || count.operation !== operation) {
      const key = `${hour} ${operation}`;
      count = this.#counts.get(key) ?? { hour, operation, calls: 0, refused: 0 };
      this.#counts.set(key, count);
      this.#lastCount = count;
    }
    count.calls += calls;
    count.refused += refused;
  }

  #cutLatest(): void {
    // Not with each call: cutting takes as long as what is kept.
    if (this.#latest.length >= 2 * activityLimits.calls)
      this.#latest = this.#latest.slice(-activityLimits.calls);
  }
}

/** Words as they are kept: on one line, without credentials, and not longer than their limit. Cut last, so that no credential is. */
function keptWords(words: string): string {
  const masked = maskCredentials(words.replaceAll(/[\s\p{Cc}]+/gu, " ").trim());
  const characters = [...masked];
  const { words: limit } = activityLimits;
  return characters.length <= limit ? masked : `${characters.slice(0, limit - 1).join("")}…`;
}
