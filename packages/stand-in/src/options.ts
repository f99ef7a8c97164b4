import type { FastifyBaseLogger } from "fastify";

/** Where a stand-in listens. */
export interface ListenOptions {
  readonly host: string;
  /** 0 for any that is free. */
  readonly port: number;
}

/** What a stand-in serves, and to whom. */
export interface StandInOptions {
  /** The folder of Markdown. */
  readonly directory: string;
  /**
   * Where its site is mounted, without a slash at the end: pages then have addresses there. When left out, the site is at
   * the root of the stand-in's own server, and the addresses of pages look as Notion's do.
   */
  readonly siteUrl?: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where consent may lead back to; null (as when left out) for any address of this machine. */
  readonly redirectUris?: readonly string[] | null;
  /** Origins that those addresses themselves lead on to, for the policy of the consent form. */
  readonly onwardOrigins?: readonly string[];
  /** What the consent screen calls the client; `Clew` when left out. */
  readonly clientName?: string;
  /** Where grants and codes outlast a restart; null keeps them in memory. */
  readonly stateFile: string | null;
  /** Milliseconds since the Unix epoch: what answers give as their `Date`, and what limits and lifetimes go by. */
  readonly clock: () => number;
  readonly random: (size: number) => Uint8Array;
  readonly log?: FastifyBaseLogger;
  /** Calls a minute and grant, 180 when left out; 0 for any number. */
  readonly rateLimit?: number;
  /** The most blocks in one answer as Markdown, 20 000 when left out. */
  readonly markdownBlockLimit?: number;
  /** The most rows that one query goes through, 10 000 when left out. */
  readonly queryRowLimit?: number;
  /** How many milliseconds an access token is good; null (as when left out) for ever. */
  readonly accessTokenLifetime?: number | null;
  /** Whether grants carry refresh tokens, as they do when this is left out. */
  readonly refreshTokens?: boolean;
  /** Whether a search looks at the folder again when it begins, as it does when this is left out. */
  readonly followFolder?: boolean;
  /** Whether every request is kept for `requests()`, which none is when this is left out. */
  readonly recordRequests?: boolean;
  /** How a fault makes an answer late; by a timer when left out. */
  readonly sleep?: (milliseconds: number) => Promise<void>;
}
