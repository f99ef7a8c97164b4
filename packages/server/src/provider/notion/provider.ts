import { setTimeout } from "node:timers/promises";
import type { Clock } from "../../model/clock.ts";
import type { RandomBytes } from "../../model/random.ts";
import type { Provider } from "../port.ts";
import { createApi } from "./api.ts";
import type { Sleep } from "./http/pace.ts";
import { createPaces } from "./http/paces.ts";
import { createProviderClock } from "./http/provider-clock.ts";
import { type Credentials, createOAuth } from "./oauth.ts";
import { createReader } from "./reader.ts";
import { notionWebhooks } from "./webhook.ts";

/** What makes a Notion, or something that speaks like it, Clew's provider. */
export interface NotionOptions extends Credentials {
  readonly slug: string;
  readonly aliases: readonly string[];
  readonly name: string;
  readonly standIn: boolean;
  /** Where its API is: `https://api.notion.com`. */
  readonly apiUrl: URL;
  /** Where people's browsers reach it, where that is elsewhere. */
  readonly consentUrl?: URL;
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
}

/**
 * A little less than the 180 that every grant has: requests do not arrive as evenly as they are sent.
 * https://developers.notion.com/reference/request-limits
 */
const standardRate = 175;

/** A large page takes the provider this long. */
const standardTimeout = 60_000;

/** Notion as Clew's provider. https://developers.notion.com/reference/intro */
export function createNotionProvider(options: NotionOptions): Provider {
  const { slug, aliases, name, standIn, apiUrl, fetch, clock, random } = options;
  const { sleep = sleepFor, requestsPerMinute = standardRate, timeout = standardTimeout } = options;
  const network = { fetch, clock, random, sleep, timeout };
  const paceOf = createPaces({ requests: requestsPerMinute, clock, sleep });
  const time = createProviderClock(clock);
  const dialect = { demoUrl: options.demoUrl ?? null };
  return {
    slug,
    aliases,
    name,
    standIn,
    ...createOAuth(apiUrl, options, network),
    webhooks: notionWebhooks,
    reader: (accessToken, onWait = () => {}) =>
      createReader(
        createApi({ apiUrl, accessToken, network, pace: paceOf(accessToken), time, dialect, onWait }),
      ),
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
