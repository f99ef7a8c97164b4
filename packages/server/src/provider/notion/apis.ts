import { setTimeout } from "node:timers/promises";
import type { Clock, RandomBytes } from "../../model/runtime.ts";
import { createApi, type NotionApi } from "./api.ts";
import type { Sleep } from "./http/pace.ts";
import { createPaces } from "./http/paces.ts";
import type { InTurn, Network } from "./http/patient-fetch.ts";
import { createProviderClock } from "./http/provider-clock.ts";
import { createTextParser, type TextParser } from "./text-parser.ts";

/** What it takes to call Notion, or something that speaks like it. */
export interface NotionNetwork {
  /** Where its API is: `https://api.notion.com`. */
  readonly apiUrl: URL;
  /** `{PUBLIC_URL}/demo/`, for the demo workspace alone. */
  readonly demoUrl?: URL;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly sleep?: Sleep;
  /** Requests that one grant may make in any minute. */
  readonly requestsPerMinute?: number;
  /** Milliseconds until an answer must be there whole. */
  readonly timeout?: number;
  /** Bounds the calls under way at a time, of all grants together; no bound where it is left out. */
  readonly inTurn?: InTurn;
  /** What parses the texts of pages. */
  readonly texts?: TextParser;
}

/** Notion's API for every access token, each within a rate limit of its own. */
export interface NotionApis {
  readonly network: Network;
  /** `onWait` is told each time the rate limit makes a call wait, and until when. */
  api(accessToken: string, onWait?: (until: number) => void): NotionApi;
}

/**
 * A little less than the 180 that every grant has: requests do not arrive as evenly as they are sent.
 * https://developers.notion.com/reference/request-limits
 */
const standardRate = 175;

/** A large page takes the provider this long. */
const standardTimeout = 60_000;

export function createApis(options: NotionNetwork): NotionApis {
  const { apiUrl, fetch, clock, random } = options;
  const { sleep = sleepFor, requestsPerMinute = standardRate, timeout = standardTimeout } = options;
  const { inTurn = (_whose, work) => work(), texts = createTextParser() } = options;
  const network = { fetch, clock, random, sleep, timeout, inTurn };
  const paceOf = createPaces({ requests: requestsPerMinute, clock, sleep });
  const time = createProviderClock(clock);
  const dialect = { demoUrl: options.demoUrl ?? null };
  return {
    network,
    api: (accessToken, onWait = () => {}) =>
      createApi({ apiUrl, accessToken, network, pace: paceOf(accessToken), time, dialect, texts, onWait }),
  };
}

const sleepFor: Sleep = async (milliseconds, signal) => {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
