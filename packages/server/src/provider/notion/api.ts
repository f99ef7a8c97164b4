import type { Client } from "@notionhq/client";
import { notionClient } from "./client.ts";
import type { Dialect } from "./dialect.ts";
import { failureOf } from "./failure.ts";
import type { Pace } from "./http/pace.ts";
import { type Network, patientFetch } from "./http/patient-fetch.ts";
import type { ProviderClock } from "./http/provider-clock.ts";

/** Calls of the provider's API with one grant. */
export interface NotionApi {
  /**
   * Runs one call, whose answer is not to be trusted to have any shape. Throws `ProviderError`, or the signal's
   * reason once it is aborted.
   */
  call(signal: AbortSignal, work: (client: Client) => Promise<unknown>): Promise<unknown>;
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
  onWait: (until: number) => void;
}): NotionApi {
  const { apiUrl, accessToken, network, pace, time, dialect, onWait } = parts;
  return {
    async call(signal, work) {
      const send = (request: Parameters<typeof patientFetch>[0]) =>
        patientFetch(request, network, { pace, time, onWait, signal });
      try {
        return await work(notionClient(apiUrl, send, accessToken));
      } catch (error) {
        signal.throwIfAborted();
        throw failureOf(error, time.now());
      }
    },
    dialect,
    time: () => time.now(),
  };
}
