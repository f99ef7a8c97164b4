import { setTimeout } from "node:timers/promises";
import type { Sleep } from "@clew/provider";
import { ProviderError, type ReaderOptions } from "@clew/provider";
import type { Client } from "@notionhq/client";
import { notionClient, type Send, toProviderError } from "./client.ts";
import { createRateLimiters } from "./http/rate-limiter.ts";
import {
  createProviderClock,
  type Network,
  OversizedAnswerError,
  retryingFetch,
} from "./http/retrying-fetch.ts";
import { type AnsweredText, createNotionTextParser, type NotionTextParser } from "./text-tasks.ts";
import { type Dialect, dialectOf } from "./urls.ts";

/** The parts that calls to Notion, or to a service with the same API, need. */
export interface NotionNetwork
  extends Pick<Network, "fetch" | "clock" | "random">,
    Partial<Pick<Network, "sleep" | "timeoutMs" | "inTurn">> {
  /** The API's origin: `https://api.notion.com`. */
  readonly apiUrl: URL;
  /** `{PUBLIC_URL}/demo/`; set for the demo workspace alone. */
  readonly demoUrl?: URL;
  /** Requests that one grant may make in any minute. */
  readonly requestsPerMinute?: number;
  /** Parses the texts of pages. */
  readonly texts?: NotionTextParser;
}

type Work = (client: Client) => Promise<unknown>;

/** Calls Notion's API with one grant, within the grant's rate limit. Throws `ProviderError`, or the signal's reason. */
export interface NotionApi {
  /** Runs one call, and once more after a 401 that the provider does not confirm. The answer may have any shape. */
  call(work: Work): Promise<unknown>;
  /** A page's text as the page-as-Markdown endpoint gives it, with the transcripts of meetings if they are not too large. */
  pageMarkdown(id: string): Promise<AnsweredText>;
  readonly texts: NotionTextParser;
  readonly dialect: Dialect;
  readonly signal: AbortSignal;
  /** The provider's time, in milliseconds since the Unix epoch. */
  readonly time: () => number;
}

/**
 * A little less than the 180 that every grant has, because requests do not arrive as evenly as they are sent.
 * https://developers.notion.com/reference/request-limits
 */
export const defaultRequestsPerMinute = 175;

/** The provider may need this long for a large page. */
const defaultTimeoutMs = 60_000;

/** Notion's API for every access token. */
export function createApis(options: NotionNetwork) {
  const { apiUrl, fetch, clock, random, demoUrl = null } = options;
  const { sleep = sleepFor, timeoutMs = defaultTimeoutMs, texts = createNotionTextParser() } = options;
  const { requestsPerMinute = defaultRequestsPerMinute, inTurn = (_owner, work) => work() } = options;
  const network: Network = { fetch, clock, random, sleep, timeoutMs, inTurn };
  const limiterOf = createRateLimiters({ requests: requestsPerMinute, clock, sleep });
  const providerClock = createProviderClock(clock);
  const dialect = dialectOf(demoUrl);

  const api = (
    accessToken: string,
    { signal = new AbortController().signal, onWait = () => {} }: ReaderOptions = {},
  ): NotionApi => {
    const grantNetwork = { ...network, limiter: limiterOf(accessToken), providerClock, onWait, signal };
    const sendRequest: Send = (url, init) => retryingFetch(url, init, grantNetwork);

    const attempt = async (work: Work, send = sendRequest): Promise<unknown> => {
      try {
        return await work(notionClient(apiUrl, send, accessToken));
      } catch (error) {
        signal.throwIfAborted();
        throw toProviderError(error, providerClock.now());
      }
    };

    /** A 401 counts as a withdrawn grant only if the provider confirms it: one may come from a proxy (SYNC-13). */
    const call = async (work: Work, send = sendRequest): Promise<unknown> => {
      try {
        return await attempt(work, send);
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
      }
      await attempt((client) => client.users.me({}));
      try {
        return await attempt(work, send);
      } catch (error) {
        if (!isUnauthorized(error)) throw error;
        throw new ProviderError("refused", `${error.message}, but accepts the grant`);
      }
    };

    return {
      call: (work) => call(work),

      async pageMarkdown(id) {
        const bodyWith = async (include_transcript: boolean) => {
          let body = "";
          // The SDK would parse the text on the event loop, so it gets an empty answer instead.
          await call(
            ({ pages }) => pages.retrieveMarkdown({ page_id: id, include_transcript }),
            async (url, init) => {
              const answer = await sendRequest(url, init);
              if (!answer.ok) return answer;
              body = answer.content;
              return { ...answer, content: "{}", text: async () => "{}" };
            },
          );
          return body;
        };
        const read = (body: string) =>
          texts.parse("answered", body, { length: body.length, dialect, signal });
        try {
          return await read(await bodyWith(true));
        } catch (error) {
          if (!(error instanceof OversizedAnswerError)) throw error;
        }
        return { ...(await read(await bodyWith(false))), complete: false };
      },

      texts,
      dialect,
      signal,
      time: providerClock.now,
    };
  };
  return { network, api };
}

function isUnauthorized(error: unknown): error is ProviderError {
  return error instanceof ProviderError && error.code === "unauthorized";
}

const sleepFor: Sleep = async (milliseconds, signal) => {
  try {
    await setTimeout(milliseconds, undefined, { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  }
};
