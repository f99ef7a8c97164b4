import type { Clock, RandomBytes, Sleep } from "@clew/provider";
import { ProviderError } from "@clew/provider";
import { parseTime } from "../json.ts";
import { describeBrokenConnection } from "./broken-connection.ts";
import type { RateLimiter } from "./rate-limiter.ts";

/** The parts that requests need. */
export interface Network {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sleep: Sleep;
  /** An answer must have arrived whole within this time. */
  readonly timeoutMs: number;
  /** Runs work when it is `owner`'s turn, to bound the calls in flight, of all grants together. */
  readonly inTurn: <T>(owner: object, work: () => Promise<T>) => Promise<T>;
}

/** The parts that requests with one grant need. */
interface GrantNetwork extends Network {
  readonly limiter: RateLimiter;
  readonly providerClock: ReturnType<typeof createProviderClock>;
  readonly onWait: (until: number) => void;
  readonly signal: AbortSignal;
}

/** An answer whose body has arrived whole, in the shape that the SDK expects. */
export interface Answer {
  readonly ok: boolean;
  readonly status: number;
  readonly headers: Headers;
  readonly content: string;
  text(): Promise<string>;
}

/** An answer that Clew does not take whole. If it is one of a list, a shorter one may do. */
export class OversizedAnswerError extends ProviderError {
  constructor(reason: string) {
    super("malformed", `The provider's answer is ${reason}`);
    this.name = "OversizedAnswerError";
  }
}

/** The number of times that a request is sent at most. */
const maxAttempts = 8;

/** If the provider asks for a longer wait, the request fails instead. */
const maxWaitMs = 15 * 60_000;

/** Larger answers are refused while they arrive; no page of text comes near this. */
const maxAnswerBytes = 10 * 1024 * 1024;

/** Parsing more lists and objects in one another would block the event loop for seconds. */
const maxAnswerDepth = 100_000;

/** Bounds of the backoff after the first failure and after the last. */
const firstBackoffMs = 500;
const maxBackoffMs = 30_000;

/**
 * Sends a request that is safe to repeat. Repeats it after 409, 429, 529, other 5xx, broken connections and broken
 * JSON: when `Retry-After` says, or else after a backoff (SYNC-4). Returns or throws what the last attempt came to, as
 * `sendOnce` does.
 */
export async function retryingFetch(url: string, init: RequestInit, network: GrantNetwork): Promise<Answer> {
  const { limiter, providerClock, onWait, signal } = network;
  for (let attempt = 1; ; attempt += 1) {
    await limiter.acquire(signal, onWait);
    const outcome = await network.inTurn(limiter, () => sendOnce(url, init, network)).catch(providerError);
    const askedMs = waitAskedFor(outcome, providerClock);
    const isOverLimit = "status" in outcome && (outcome.status === 429 || outcome.status === 529);
    if (isOverLimit) limiter.slowDown(Math.min(askedMs, maxWaitMs));
    if (!isTransient(outcome) || attempt === maxAttempts || askedMs > maxWaitMs) {
      if (outcome instanceof ProviderError) throw outcome;
      return outcome;
    }
    // Never less than the provider asks for, and more if that was not enough before.
    const isFirstAsk = attempt === 1 && askedMs > 0;
    const waitMs = isFirstAsk ? askedMs : Math.max(askedMs, backoffMs(attempt, network.random));
    // The rate limit holds back all requests of the grant, not this one alone.
    if (isOverLimit) limiter.pauseUntil(network.clock() + waitMs);
    else await network.sleep(waitMs, signal);
  }
}

/** Milliseconds that the provider asks to wait. If it gives a date, that is one of its own clock. */
function waitAskedFor(outcome: Answer | ProviderError, clock: GrantNetwork["providerClock"]): number {
  if (outcome instanceof ProviderError) return 0;
  clock.observe(outcome.headers);
  return retryAfter(outcome.headers, clock.now()) ?? 0;
}

function providerError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error;
  throw error;
}

/**
 * Sends a request once and reads the whole answer. Throws `ProviderError` `unavailable` if the connection breaks or
 * `timeoutMs` pass first, `OversizedAnswerError`, and the signal's reason once it is aborted.
 */
export async function sendOnce(
  url: string,
  init: RequestInit,
  options: Pick<Network, "fetch" | "timeoutMs"> & { readonly signal: AbortSignal },
): Promise<Answer> {
  const { fetch, timeoutMs, signal } = options;
  // `AbortSignal.timeout` would hold the answer in memory until the time has passed.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs).unref();
  try {
    const response = await fetch(url, {
      ...init,
      redirect: "error",
      signal: AbortSignal.any([signal, deadline.signal]),
    });
    const content = await boundedText(response);
    const { ok, status, headers } = response;
    return { ok, status, headers, content, text: async () => content };
  } catch (cause) {
    signal.throwIfAborted();
    if (cause instanceof ProviderError) throw cause;
    const reason = deadline.signal.aborted
      ? `no whole answer within ${timeoutMs} ms`
      : describeBrokenConnection(cause);
    throw new ProviderError("unavailable", `failed to reach the provider: ${reason}`, { cause });
  } finally {
    clearTimeout(timer);
  }
}

async function boundedText(response: Response): Promise<string> {
  // Chunk by chunk: decoding ten megabytes at once would block the event loop.
  const decoder = new TextDecoder();
  let text = "";
  let bytes = 0;
  const depth = new JsonDepth();
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxAnswerBytes) throw new OversizedAnswerError(`larger than ${maxAnswerBytes} bytes`);
    if (depth.after(chunk) > maxAnswerDepth)
      throw new OversizedAnswerError(`nested deeper than ${maxAnswerDepth} levels`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The bytes that matter to nesting. In UTF-8, no byte of another character is one of these. */
const codes = { quote: 0x22, backslash: 0x5c, open: 0x7b, close: 0x7d } as const;

/** Measures how deep JSON is nested, chunk by chunk. */
class JsonDepth {
  #depth = 0;
  #deepest = 0;
  #isInText = false;
  /** The beginning of the next chunk: 1 if its first byte is escaped. */
  #start = 0;

  /** The most lists and objects in one another so far, with this chunk. */
  after(chunk: Uint8Array): number {
    // Local variables: every byte of every answer passes here.
    let [depth, deepest, isInText, at] = [this.#depth, this.#deepest, this.#isInText, this.#start];
    for (; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      // Brackets and braces differ in this bit.
      const bracket = byte | 0x20;
      if (byte === codes.quote) isInText = !isInText;
      else if (byte === codes.backslash) at += 1;
      else if (isInText) continue;
      else if (bracket === codes.open) deepest = Math.max(deepest, ++depth);
      else if (bracket === codes.close) depth -= 1;
    }
    this.#start = at - chunk.length;
    [this.#depth, this.#deepest, this.#isInText] = [depth, deepest, isInText];
    return deepest;
  }
}

/** Whether the same request may succeed a little later. https://developers.notion.com/reference/status-codes */
function isTransient(outcome: Answer | ProviderError): boolean {
  if (outcome instanceof ProviderError) return outcome.code === "unavailable";
  if (outcome.ok) return !isJson(outcome.content);
  return outcome.status === 409 || outcome.status === 429 || outcome.status >= 500;
}

/** Of longer answers only the ends are checked: parsing them here as well would block the event loop. */
const maxParsedChars = 65_536;

/** False if the answer was cut short, or comes from a proxy. */
function isJson(text: string): boolean {
  if (text.length > maxParsedChars) return /^\s*[{[]/.test(text) && /[}\]]\s*$/.test(text.slice(-100));
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Evenly drawn up to a bound that doubles with each attempt ("full jitter"), so that callers do not retry in step. */
function backoffMs(attempt: number, random: RandomBytes): number {
  const bound = Math.min(maxBackoffMs, firstBackoffMs * 2 ** (attempt - 1));
  const fraction = Buffer.from(random(4)).readUInt32BE() / 2 ** 32;
  return Math.ceil(bound * fraction);
}

/** Milliseconds until the time in a `Retry-After` header; null without a valid one (RFC 9110, section 10.2.3). */
export function retryAfter(headers: Headers, now: number): number | null {
  const value = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(Number(value) * 1000);
  const date = parseTime(value);
  return date === null ? null : Math.max(0, date - now);
}

/**
 * The provider's clock, as its answers give it. The `Date` header has whole seconds and has travelled for a while, so this
 * clock is late rather than early: a sync that asks for edits since a time of this clock misses none.
 */
export function createProviderClock(clock: Clock) {
  let offsetMs = 0;
  return {
    /** Reads the `Date` header of an answer (RFC 9110, section 6.6.1). */
    observe(headers: Headers): void {
      const time = parseTime(headers.get("date") ?? "");
      if (time !== null) offsetMs = time - clock();
    },
    /** Milliseconds since the Unix epoch; by the local clock until an answer gave the time. */
    now: (): number => clock() + offsetMs,
  };
}
