import type { Client } from "@notionhq/client";
import { notionClient, type Send } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { failureOf } from "./failure.ts";
import type { Pace } from "./http/pace.ts";
import { type Network, patientFetch } from "./http/patient-fetch.ts";
import type { ProviderClock } from "./http/provider-clock.ts";
import type { AnsweredText } from "./parse-text.ts";
import type { TextParser } from "./text-parser.ts";

/** Calls of the provider's API with one grant. */
export interface NotionApi {
  /**
   * Runs one call, whose answer is not to be trusted to have any shape. Throws `ProviderError`, or the signal's
   * reason once it is aborted.
   */
  call(signal: AbortSignal, work: (client: Client) => Promise<unknown>): Promise<unknown>;
  /** A page's text as the page-as-Markdown endpoint answers. Throws as `call` does. */
  pageMarkdown(id: string, signal: AbortSignal): Promise<AnsweredText>;
  readonly texts: TextParser;
  readonly dialect: Dialect;
  /** Now, by the provider's clock, in milliseconds since the Unix epoch. */
  time(): number;
}

/** The API as one grant opens it, within the grant's rate limit. */
export function createApi(parts: {
  apiUrl: URL;
  accessToken: string;
  network: Network;
  pace: Pace;
  time: ProviderClock;
  dialect: Dialect;
  texts: TextParser;
  onWait: (until: number) => void;
}): NotionApi {
  const { apiUrl, accessToken, network, pace, time, dialect, texts, onWait } = parts;

  async function callOver<Value>(
    send: Send,
    signal: AbortSignal,
    work: (client: Client) => Promise<Value>,
  ): Promise<Value> {
    try {
      return await work(notionClient(apiUrl, send, accessToken));
    } catch (error) {
      signal.throwIfAborted();
      throw failureOf(error, time.now());
    }
  }

  const sender =
    (signal: AbortSignal): Send =>
    (request) =>
      patientFetch(request, network, { pace, time, onWait, signal });

  return {
    call: (signal, work) => callOver(sender(signal), signal, work),

    async pageMarkdown(id, signal) {
      let body = "";
      // The SDK would parse the text on the event loop, so it is handed an empty answer.
      const send: Send = async (request) => {
        const answer = await sender(signal)(request);
        if (!answer.ok) return answer;
        body = answer.content;
        return { ...answer, content: "{}", text: async () => "{}" };
      };
      await callOver(send, signal, ({ pages }) => pages.retrieveMarkdown({ page_id: id }));
      return texts.parse("answered", body, { length: body.length, dialect, signal });
    },

    texts,
    dialect,
    time: () => time.now(),
  };
}
