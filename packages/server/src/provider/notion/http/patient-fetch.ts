import type { Clock, RandomBytes } from "../../../model/runtime.ts";
import { ProviderError } from "../../port.ts";
import { type Answer, exchange, type Request } from "./answer.ts";
import { backoff, retryAfter } from "./backoff.ts";
import type { Pace, Sleep } from "./pace.ts";
import type { ProviderClock } from "./provider-clock.ts";

/** What sending requests takes. */
export interface Network {
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sleep: Sleep;
  /** Milliseconds until an answer must be there whole. */
  readonly timeout: number;
  readonly inTurn: InTurn;
}

/** Does some work once it is the turn of whoever it is for: it bounds what is under way at a time. */
export type InTurn = <T>(whose: object, work: () => Promise<T>) => Promise<T>;

/** How often a request is sent at most. */
const attempts = 8;

/** A longer wait than this is not waited out but reported. */
const longestPause = 15 * 60_000;

/** What the requests of one grant share, and what is told of this one. */
interface Sending {
  readonly pace: Pace;
  readonly time: ProviderClock;
  readonly onWait: (until: number) => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a request, which must be safe to repeat, until it is answered for good: after 429, 529, 409, other 5xx,
 * broken connections and broken JSON again, when `Retry-After` says or after a backoff (SYNC-4). Whatever the last
 * attempt came to is returned or thrown, as `exchange` has it.
 */
export async function patientFetch(
  request: Request,
  network: Network,
  { pace, time, onWait, signal }: Sending,
): Promise<Answer> {
  for (let attempt = 1; ; attempt += 1) {
    await pace.turn(signal, onWait);
    // Waiting for the pace, or for a refusal to pass, takes no turn.
    const outcome = await network.inTurn(pace, () => attemptOnce(request, network, signal));
    const asked = outcome instanceof ProviderError ? null : waitAskedFor(outcome, time);
    if (isAboutRate(outcome)) pace.slowDown(asked ?? 0);
    if (!isPassing(outcome) || attempt === attempts || (asked ?? 0) > longestPause) return settle(outcome);
    const wait = waitAfter(attempt, asked ?? 0, network);
    if (isAboutRate(outcome)) pace.pause(network.clock() + wait);
    else await network.sleep(wait, signal);
  }
}

/**
 * Milliseconds until the next attempt: never less than the provider asks for, and more where a request that waited so
 * long is refused again.
 */
function waitAfter(attempt: number, asked: number, { random }: Pick<Network, "random">): number {
  return attempt === 1 && asked > 0 ? asked : Math.max(asked, backoff(attempt, random));
}

/** A `Retry-After` that is a date is one of the provider's clock, which the same answer tells. */
function waitAskedFor({ headers }: Answer, time: ProviderClock): number | null {
  time.observe(headers);
  return retryAfter(headers, time.now());
}

async function attemptOnce(
  request: Request,
  { fetch, timeout }: Network,
  signal: AbortSignal,
): Promise<Answer | ProviderError> {
  try {
    return await exchange(request, { fetch, timeout, signal });
  } catch (error) {
    if (error instanceof ProviderError) return error;
    throw error;
  }
}

function settle(outcome: Answer | ProviderError): Answer {
  if (outcome instanceof ProviderError) throw outcome;
  return outcome;
}

/** Whether the same request may well succeed a little later. https://developers.notion.com/reference/status-codes */
function isPassing(outcome: Answer | ProviderError): boolean {
  if (outcome instanceof ProviderError) return outcome.code === "unavailable";
  if (outcome.ok) return !isJson(outcome.content);
  return outcome.status === 409 || outcome.status === 429 || outcome.status >= 500;
}

/** Answers of more characters are judged by their ends alone: to parse them all once more would hold up everything else. */
const maxParsedChars = 65_536;

/** False where the answer was cut short on its way, or is a page of something in between. */
function isJson(text: string): boolean {
  if (text.length > maxParsedChars) return /^\s*[{[]/.test(text) && /[}\]]\s*$/.test(text.slice(-100));
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Then every request of the grant must wait, not this one alone. */
function isAboutRate(outcome: Answer | ProviderError): boolean {
  return !(outcome instanceof ProviderError) && (outcome.status === 429 || outcome.status === 529);
}
